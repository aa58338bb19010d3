import { ContainerRegistrationKeys, PaymentActions } from "@medusajs/framework/utils"
import { completeCartWorkflowId, processPaymentWorkflowId } from "@medusajs/medusa/core-flows"
import { isCaptureInterrupted, isMoreThan } from "../../decision"
import { describeError, isConflict } from "../../modules/crypto-payments/errors"
import { TookTooLong, waitAtMost } from "../../modules/crypto-payments/waiting"
import { clearUnlinkedOrders } from "./clear-unlinked-orders"
import { completeCartOutsideRegion, isOfferedInRegion } from "./provider-taken-off-region"
import { dropRivalSessions } from "./drop-rival-sessions"
import { areOrderLinksFinished, finishOrderLinks, linksOf } from "./finish-order-links"
import { dropInterruptedRefunds } from "./interrupted"
import { CART_WAIT_S, CORE_MS, runInCore, underCartLock, whileLocked } from "./cart-lock"
import { oneCapturePerOrder } from "./one-capture-per-order"
import { restoreCollection } from "./payment-collections"
import { reserveLostStock } from "./reserve-lost-stock"
import { warn, type Settling } from "./settling"
import { recomputeCollectionSums } from "./stored-sums"

/**
 * Lets core capture the session and place the order, or only place the order of an existing capture.
 *
 * Core's workflow runs top-level, as core's own subscriber runs it: inside a parent workflow its lock steps skip
 * themselves, and the cart would not be locked. The caller reads the database again, because core reports success even
 * when the cart could not be completed.
 *
 * @returns whether to try again at once. Not when core hangs or may be booking a refund of the payment, and not when a
 *   lock was taken: for a cart with two products core leaves the locks it got for a minute, and each try prolongs that
 * @throws what the plugin's own repairs before it failed with: then the settle fails
 */
export async function captureAndPlaceOrder(settling: Settling): Promise<boolean> {
  return await oneCapturePerOrder(settling, async (facts) => await letCoreCapture({ ...settling, facts }))
}

async function letCoreCapture(settling: Settling): Promise<boolean> {
  const { container, row, facts } = settling
  if (!(await repairInterrupted(settling))) {
    return false
  }
  await restoreCollection(settling)
  await dropLostOrder(settling)
  if (facts.payment_id !== null && (await dropInterruptedRefunds(container, facts.payment_id))) {
    return false
  }
  try {
    if (facts.cart_id !== null && isMoreThan(facts.payment_captured, "0")) {
      return await placeOrder(settling, facts.cart_id)
    }
    const data = { session_id: row.session_id, amount: facts.session_amount ?? row.amount }
    await runInCore(container, processPaymentWorkflowId, { action: PaymentActions.SUCCESSFUL, data })
    if (facts.order_id !== null) {
      // A process that was killed while it renewed the order's link can leave the old link's session.
      await dropRivalSessions(settling)
    }
    return true
  } catch (error) {
    const why = describeError(error)
    warn(container, `crypto payment ${row.id}: core did not finish (${why}); it is tried again`)
    return !isConflict(error) && !(error instanceof TookTooLong)
  }
}

/**
 * Has core complete the cart of an existing capture, one cart at a time in all processes. Core locks the stock of a
 * cart's products one after the other, and a cart that waits too long for the second leaves the first one locked for a
 * minute. Carts that the same outage kept from their orders are due together, and would lock one another out.
 *
 * @returns whether to try again at once. Not when the lock is not free in time
 */
async function placeOrder(settling: Settling, cartId: string): Promise<boolean> {
  const { container, row, facts } = settling
  const complete = async (): Promise<void> => {
    await dropRivalSessions(settling)
    const isOffered = await isOfferedInRegion(container, cartId, row.provider_id)
    await (isOffered
      ? runInCore(container, completeCartWorkflowId, { id: cartId })
      : waitAtMost(CORE_MS, completeCartOutsideRegion(container, cartId, row.provider_id)))
    // Core may have died between the capture and the collection's sums, which it writes only with a capture.
    await recomputeCollectionSums(container, row.payment_collection_id)
  }
  if (facts.order_id !== null) {
    await complete()
    return true
  }
  return (await whileLocked(container, "crypto:place-order", CART_WAIT_S, complete)) !== undefined
}

/**
 * Repairs what an interrupted completion of the cart left. Without its links core would not book the capture on the
 * order, and without the cart's link it would place a second order. A paid collection that was taken off its order is
 * linked to it again.
 *
 * @returns whether core may run now
 */
async function repairInterrupted(settling: Settling): Promise<boolean> {
  const { container, ledger, row, facts, lease } = settling
  const { cart_id, order_id } = facts
  if (order_id !== null) {
    const isLinked = await areOrderLinksFinished(settling, order_id)
    if (!isLinked || (await ledger.unlinkedOrders.isReservationLost(cart_id, order_id))) {
      await underCartLock(settling, async (latest) => {
        if (latest.order_id !== null) {
          await finishOrderLinks(settling, latest.order_id)
          await reserveLostStock(container, cart_id, latest.order_id)
        }
      })
    }
    return true
  }
  if (cart_id === null) {
    return true
  }
  const clearance = await clearUnlinkedOrders(container, cart_id, isCaptureInterrupted(row, facts))
  if (typeof clearance === "object") {
    await ledger.cases.open(row.id, "paid_without_order", { order_id: clearance.touchedId }, lease)
  }
  return clearance === "clear"
}

/**
 * If the database fails while core takes an order back, the order goes and its links stay. Core then never completes
 * the cart. Core writes an order before its links, so a link without an order is never of an order being placed.
 */
async function dropLostOrder({ container, row, facts }: Settling): Promise<void> {
  const { lost_order_id, cart_id } = facts
  if (lost_order_id !== null) {
    const { payment_collection_id } = row
    const links = linksOf(lost_order_id, { cart_id, payment_collection_id })
    await container.resolve(ContainerRegistrationKeys.LINK).dismiss(links)
  }
}
