import type { AxiosResponse } from "axios"
import type { PreparedCheckout } from "./shopper"
import { describeStore, type StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

/** A store, and the plugin's admin routes as its admin user calls them. */
export interface AdminRoutes {
  store: StoreUnderTest
  /** Of a path below `/admin/crypto-payments`. */
  get: (path: string) => Promise<AxiosResponse>
  post: (path: string, body?: unknown) => Promise<AxiosResponse>
  rowOf: (checkout: PreparedCheckout) => Promise<Record<string, unknown>>
  /** A checkout that was paid, and whose order exists. */
  paid: (email?: string) => Promise<{ checkout: PreparedCheckout; row: Record<string, unknown> }>
}

export function describeAdminRoutes(name: string, tests: (routes: AdminRoutes) => void): void {
  describeStore(name, (store) => {
    let headers: Record<string, string>

    beforeEach(async () => {
      ;({ headers } = await store.admin())
    })

    const get: AdminRoutes["get"] = async (path) =>
      await store.http.get(`/admin/crypto-payments${path}`, { headers })
    const post: AdminRoutes["post"] = async (path, body = {}) =>
      await store.http.post(`/admin/crypto-payments${path}`, body, { headers })

    const rowOf: AdminRoutes["rowOf"] = async ({ session }) =>
      await store.knex("crypto_payment_request").where({ session_id: session.id }).first()

    const paid: AdminRoutes["paid"] = async (email) => {
      const checkout = await store.shopper().checkout(email === undefined ? {} : { email })
      const id = checkout.session.data.payment_request_id
      await store.gateway.pay(id, { coin: "BTC" })
      await store.gateway.notify(id)
      const row = await waitUntil(
        async () => await rowOf(checkout),
        ({ settled_at }) => settled_at !== null
      )
      return { checkout, row }
    }

    tests({ store, get, post, rowOf, paid })
  })
}

/** Everything but Medusa's own customer, as text: nothing of the gateway's payer is in it. */
export function withoutCustomer({ customer: _customer, ...rest }: Record<string, unknown>): string {
  return JSON.stringify(rest)
}
