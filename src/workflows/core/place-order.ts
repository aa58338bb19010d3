import { completeCartWorkflowId } from "@medusajs/medusa/core-flows"
import { isResolvedByAdmin, type ActEnd } from "../../decision"
import { waitAtMost } from "../../modules/crypto-payments/waiting"
import { CORE_MS, runInCore, whileLocked } from "./cart-lock"
import { agreesWithSession } from "./cart-total"
import { dropRivalSessions } from "./drop-rival-sessions"
import { warn, type Settling } from "./settling"
import { recomputeCollectionSums } from "./collection-sums"

/** So short that a settle which waited does not act on what was read long ago. */
const WAIT_S = 10

/**
 * Has core complete the cart of an earlier capture, one cart at a time in all processes.
 *
 * Core asks for the stock locks of all products of a cart at once. With Redis, a cart that does not get them all within
 * five seconds leaves those that it got locked for a minute. The carts that one outage has kept from their orders are
 * due together, and each could lock stock that another one needs, again and again.
 *
 * @returns `blocked` when another cart was being completed, and core was not asked
 * @throws TookTooLong after `CORE_MS`, so that other carts get their orders
 */
export async function placeOrder(settling: Settling, cartId: string): Promise<ActEnd> {
  const { container, ledger, row } = settling
  const place = async (): Promise<ActEnd> => {
    if (!isResolvedByAdmin(row) && isResolvedByAdmin(await ledger.requests.require(row.id))) {
      // An admin user closed the case during the wait. The order is placed only on request.
      return "done"
    }
    await dropRivalSessions(settling)
    if (!(await agreesWithSession(container, cartId))) {
      // The cart was changed during the wait: it is read and decided again.
      return "done"
    }
    await runInCore(container, completeCartWorkflowId, { id: cartId })
    // Core may have died between the capture and the collection's sums, which it writes only with a capture.
    await recomputeCollectionSums(container, row.payment_collection_id)
    return "again"
  }
  const limited = async (): Promise<ActEnd> => await waitAtMost(CORE_MS, place())
  const end = (await whileLocked(container, "crypto:place-order", WAIT_S, limited))?.result ?? "blocked"
  if (end === "blocked") {
    warn(container, `crypto payment ${row.id}: another order is being placed; its own waits`)
  }
  return end
}
