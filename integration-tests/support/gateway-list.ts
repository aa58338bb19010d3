import { reconcileGatewayList } from "../../.medusa/server/src/workflows"
import type { PreparedCheckout } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"

/** A payment session that neither the ledger nor Medusa knows. */
export const UNKNOWN_SESSION = "payses_01JZZZZZZZZZZZZZZZZZZZZZZZ"

/** The gateway's list, the ledger, and the comparison of the two. */
export const gatewayList = (store: StoreUnderTest) => ({
  reconcile: () => reconcileGatewayList(store.container, { provider_id: "pp_crypto_default" }),
  rows: async () =>
    await store.knex("crypto_payment_request").orderBy("created_at").select<Record<string, unknown>[]>(),
  payUnnoticed: ({ session }: PreparedCheckout) => store.gateway.pay(session.data.payment_request_id),
})
