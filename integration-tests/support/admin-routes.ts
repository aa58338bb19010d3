import type { AxiosResponse } from "axios"
import type { PreparedCheckout } from "./shopper"
import { describeStore, type StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

/** A store, and the plugin's admin routes as its admin user calls them. */
class AdminRoutes {
  headers = {}

  constructor(readonly store: StoreUnderTest) {}

  /** Of a path below `/admin/crypto-payments`. */
  get = (path: string): Promise<AxiosResponse> =>
    this.store.http.get(`/admin/crypto-payments${path}`, { headers: this.headers })
  post = (path: string, body: unknown = {}): Promise<AxiosResponse> =>
    this.store.http.post(`/admin/crypto-payments${path}`, body, { headers: this.headers })

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
  describeStore(name, (store) => {
    const routes = new AdminRoutes(store)
    beforeEach(async () => {
      ;({ headers: routes.headers } = await store.admin())
    })
    tests(routes)
  })
}

/** Everything but Medusa's own customer, as text: nothing of the gateway's payer is in it. */
export const withoutCustomer = ({ customer: _customer, ...rest }: Record<string, unknown>): string =>
  JSON.stringify(rest)
