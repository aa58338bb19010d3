import { PaymentActions } from "@medusajs/framework/utils"
import { processPaymentWorkflowId } from "@medusajs/medusa/core-flows"
import { isResolvedByAdmin, isMoreThan, type ActEnd } from "../../decision"
import { describeError, isConflict } from "../../modules/crypto-payments/errors"
import { TookTooLong } from "../../modules/crypto-payments/waiting"
import { agreesWithSession } from "./cart-total"
import { dropRivalSessions } from "./drop-rival-sessions"
import { areOrderLinksFinished, finishOrderLinks } from "./finish-order-links"
import { runInCore, underCartLock } from "./cart-lock"
import { oneCapturePerOrder } from "./one-capture-per-order"
import { findOrderLeftBehind, type Clearance } from "./orders-left-behind"
import { restoreCurrency } from "./payment-collections"
import { placeOrder } from "./place-order"
import { warn, type Settling } from "./settling"

/**
 * Lets core capture the session and place the order, or only place the order of an existing capture.
 *
 * Core's workflow runs top-level, as core's own subscriber runs it: inside a parent workflow its lock steps skip
 * themselves, and the cart would not be locked. The caller reads the database again, because core reports success even
 * when the cart could not be completed.
 *
 * @returns `again` when it may be tried again at once: not when core hangs or did not get a lock; `blocked` when core was not asked: a lock was not free, or it may be placing the order
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
  if (
    facts.order_id === null &&
    facts.cart_id !== null &&
    !(await agreesWithSession(container, facts.cart_id))
  ) {
    // The cart was changed a moment ago: it is read and decided again.
    return "done"
  }
  await restoreCurrency(settling)
  try {
    if (facts.cart_id !== null && isMoreThan(facts.payment_captured, "0")) {
      return await placeOrder(settling, facts.cart_id)
    }
    if (!(await ledger.requests.claimSession(lease, row.session_id))) {
      // The link was opened for another session meanwhile, or this one is paid already: it is read and decided again.
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
