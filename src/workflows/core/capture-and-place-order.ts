import { PaymentActions } from "@medusajs/framework/utils"
import { completeCartWorkflowId, processPaymentWorkflowId } from "@medusajs/medusa/core-flows"
import { isResolvedByAdmin, isMoreThan, type ActEnd } from "../../decision"
import { describeError, isConflict } from "../../modules/crypto-payments/errors"
import { TookTooLong, waitAtMost } from "../../modules/crypto-payments/waiting"
import { agreesWithSession } from "./cart-total"
import { dropRivalSessions } from "./drop-rival-sessions"
import { areOrderLinksFinished, finishOrderLinks } from "./finish-order-links"
import { CORE_MS, runInCore, underCartLock, whileLocked } from "./cart-lock"
import { recomputeCollectionSums } from "./collection-sums"
import { oneCapturePerOrder } from "./one-capture-per-order"
import { findOrderLeftBehind, type Clearance } from "./orders-left-behind"
import { restoreCurrency } from "./payment-collections"
import { warn, type Settling } from "./settling"

/**
 * Lets core capture the session and place the order, or only place the order of an existing capture.
 *
 * Core's workflow runs top-level, as core's own subscriber runs it: inside a parent workflow its lock steps skip
 * themselves, and the cart would not be locked. The caller reads the database again, because core reports success even
 * when the cart could not be completed.
 *
 * @returns `again` when it may be tried again at once: not when core hangs or did not get a lock; `blocked` when core
 *   was not asked: a lock was not free, or it may be placing the order
 * @throws what the plugin's own repairs before it failed with: then the settle fails
 */
export async function captureAndPlaceOrder(settling: Settling): Promise<ActEnd> {
  return await oneCapturePerOrder(settling, async (facts) => await letCoreCapture({ ...settling, facts }))
}

async function letCoreCapture(settling: Settling): Promise<ActEnd> {
  const { container, ledger, lease, row, facts } = settling
  const clearance = await finishInterrupted(settling)
  if (clearance !== "clear") {
    return clearance === "in_use" ? "blocked" : "done"
  }
  await restoreCurrency(settling)
  try {
    if (facts.cart_id !== null && isMoreThan(facts.payment_captured, "0")) {
      return await placeOrder(settling, facts.cart_id)
    }
    if (await isCartChanged(settling)) {
      return "done"
    }
    if (!(await ledger.requests.claimSession(lease, row))) {
      // Its session, its payment or its case is another one meanwhile: it is read and decided again.
      return "done"
    }
    const data = { session_id: row.session_id, amount: facts.session_amount ?? row.amount }
    await runInCore(container, processPaymentWorkflowId, { action: PaymentActions.SUCCESSFUL, data })
    if (facts.order_id !== null) {
      // A process that was killed while it made a link of the order can leave the old link's session.
      await dropRivalSessions(settling)
    }
    return "again"
  } catch (error) {
    const why = describeError(error)
    warn(container, `crypto payment ${row.id}: core did not finish (${why}); it is tried again`)
    return isConflict(error) || error instanceof TookTooLong ? "done" : "again"
  }
}

/** The cart was changed a moment ago: it is read and decided again. */
async function isCartChanged({ container, facts: { order_id, cart_id } }: Settling): Promise<boolean> {
  return order_id === null && cart_id !== null && !(await agreesWithSession(container, cart_id))
}

/** So short that a settle which waited does not act on what was read long ago. */
const PLACE_WAIT_S = 10

/**
 * Has core complete the cart of an earlier capture, one cart at a time in all processes.
 *
 * Core asks for the stock locks of all products of a cart at once. With Redis, a cart that does not get them all within
 * five seconds leaves those that it got locked for a minute. The carts that one outage has kept from their orders are
 * due together, and each could lock stock that another one needs, again and again.
 */
async function placeOrder(settling: Settling, cartId: string): Promise<ActEnd> {
  const { container, ledger, row } = settling
  const place = async (): Promise<ActEnd> => {
    if (!isResolvedByAdmin(row) && isResolvedByAdmin(await ledger.requests.require(row.id))) {
      // An admin user closed the case during the wait. The order is placed only on request.
      return "done"
    }
    await dropRivalSessions(settling)
    if (await isCartChanged(settling)) {
      return "done"
    }
    await runInCore(container, completeCartWorkflowId, { id: cartId })
    // Core may have died between the capture and the collection's sums, which it writes only with a capture.
    await recomputeCollectionSums(container, row.payment_collection_id)
    return "again"
  }
  const limited = async (): Promise<ActEnd> => await waitAtMost(CORE_MS, place())
  return (await whileLocked(container, "crypto:place-order", PLACE_WAIT_S, limited))?.result ?? "blocked"
}

/**
 * Finishes what an interrupted completion of the cart left. Without its links core would not book the capture on the
 * order, and without the cart's link it would place a second order. A paid collection that was taken off its order is
 * linked to it again.
 */
async function finishInterrupted(settling: Settling): Promise<Clearance> {
  const { container, ledger, row, facts, lease } = settling
  const { cart_id, order_id } = facts
  if (order_id !== null) {
    if (!(await areOrderLinksFinished(settling, order_id))) {
      await underCartLock(settling, async (latest) => {
        if (latest.order_id !== null) {
          await finishOrderLinks(settling, latest.order_id)
        }
      })
    }
    return "clear"
  }
  if (cart_id === null) {
    return "clear"
  }
  const since = await ledger.completions.begin(cart_id, lease)
  if (since === null) {
    return "clear"
  }
  const named = await ledger.cases.findNamedOrder(row.id)
  // An admin user who has closed the case, and asks for a check, says that it is another order.
  const known = isResolvedByAdmin(row) ? named : null
  const clearance = await findOrderLeftBehind(container, cart_id, since, known)
  if (clearance === "clear") {
    await ledger.completions.beginAgain(cart_id)
  } else if (clearance !== "in_use" && clearance.leftBehindId !== named) {
    const order_id = clearance.leftBehindId
    warn(container, `crypto payment ${row.id}: its order is not placed, because order ${order_id} may be it`)
    const reason = "paid_without_order"
    if ((await ledger.cases.open(row.id, reason, { order_id }, lease)) === undefined) {
      // There is a case already, of another cause.
      await ledger.requests.addActivity(row.id, "attention", { reason, order_id })
    }
  }
  return clearance
}
