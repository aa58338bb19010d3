import { ledgerRow, payAndNotify, untilAtRest } from "./paid-checkout"
import type { PreparedCheckout } from "./shopper"
import { describeStore, type StoreUnderTest } from "./store-under-test"

/** A store, and the plugin's admin routes as its admin user calls them, by paths below `/admin/crypto-payments`. */
const adminRoutes = (store: StoreUnderTest) => ({
  store,
  get: (path: string) => store.asAdmin.get(`/crypto-payments${path}`),
  post: (path: string, body?: unknown) => store.asAdmin.post(`/crypto-payments${path}`, body),
  rowOf: ({ session }: PreparedCheckout) => ledgerRow(store, session.id),
  /** A checkout that was paid, and whose order exists. */
  paid: async (email?: string) => {
    const checkout = await store.shopper().checkout(email === undefined ? {} : { email })
    await payAndNotify(store, checkout.session.data.payment_request_id, { coin: "BTC" })
    await untilAtRest(store, checkout.cartId)
    return { checkout, row: await ledgerRow(store, checkout.session.id) }
  },
})

export function describeAdminRoutes(
  name: string,
  tests: (routes: ReturnType<typeof adminRoutes>) => void
): void {
  describeStore(name, (store) => tests(adminRoutes(store)))
}

/** Everything but Medusa's own customer, as text: nothing of the gateway's payer is in it. */
export const withoutCustomer = ({ customer: _customer, ...rest }: Record<string, unknown>): string =>
  JSON.stringify(rest)
