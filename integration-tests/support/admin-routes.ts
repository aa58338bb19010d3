import type { PreparedCheckout } from "./shopper"
import { describeStore, type StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

/** A store, and the plugin's admin routes as its admin user calls them. */
class AdminRoutes {
  constructor(readonly store: StoreUnderTest) {}

  /** Of a path below `/admin/crypto-payments`. */
  get = (path: string) => this.store.asAdmin.get(`/crypto-payments${path}`)
  post = (path: string, body?: unknown) => this.store.asAdmin.post(`/crypto-payments${path}`, body)

  rowOf = async ({ session }: PreparedCheckout): Promise<Record<string, unknown>> =>
    await this.store.knex("crypto_payment_request").where({ session_id: session.id }).first()

  /** A checkout that was paid, and whose order exists. */
  paid = async (email?: string) => {
    const { gateway } = this.store
    const checkout = await this.store.shopper().checkout(email === undefined ? {} : { email })
    const id = checkout.session.data.payment_request_id
    await gateway.pay(id, { coin: "BTC" })
    await gateway.notify(id)
    const row = await waitUntil(
      () => this.rowOf(checkout),
      ({ settled_at }) => settled_at !== null
    )
    return { checkout, row }
  }
}

export function describeAdminRoutes(name: string, tests: (routes: AdminRoutes) => void): void {
  describeStore(name, (store) => tests(new AdminRoutes(store)))
}

/** Everything but Medusa's own customer, as text: nothing of the gateway's payer is in it. */
export const withoutCustomer = ({ customer: _customer, ...rest }: Record<string, unknown>): string =>
  JSON.stringify(rest)
