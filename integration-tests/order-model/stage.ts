import { UNPAID_ORDER_TTL_MINUTES, type Shop } from "../crash-matrix/shop"
import type { Stage } from "./store-order"

/** One process of the store for all stories. Its orders may be placed unpaid, and its schedule runs when it is told to. */
export async function openStage(shop: Shop): Promise<Stage> {
  const at = await shop.boot("before_payment")
  const admin = shop.admin(at)
  const { status, data } = await admin.post("/admin/customers", { email: "stranger@example.test" })
  if (status !== 200) {
    throw new Error(`the store answered ${status}: ${JSON.stringify(data)}`)
  }
  return { shop, at, admin, strangerId: data.customer.id as string }
}

/** After that an unpaid order is to be cancelled. */
export const EXPIRES_AFTER_MINUTES = UNPAID_ORDER_TTL_MINUTES
