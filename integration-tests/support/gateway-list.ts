import { reconcileGatewayList, type ListReport } from "../../.medusa/server/src/workflows"
import type { PreparedCheckout } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"

/** A payment session that neither the ledger nor Medusa knows. */
export const UNKNOWN_SESSION = "payses_01JZZZZZZZZZZZZZZZZZZZZZZZ"

/** The gateway's list, the ledger, and the comparison of the two. */
export class GatewayList {
  constructor(private readonly store: StoreUnderTest) {}

  async reconcile(): Promise<ListReport> {
    return await reconcileGatewayList(this.store.container, { provider_id: "pp_crypto_default" })
  }

  async rows(): Promise<Record<string, unknown>[]> {
    return await this.store.knex("crypto_payment_request").orderBy("created_at").select()
  }

  async payUnnoticed({ session }: PreparedCheckout): Promise<void> {
    await this.store.gateway.pay(session.data.payment_request_id)
  }
}
