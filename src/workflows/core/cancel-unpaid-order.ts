import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { cancelOrderWorkflowId } from "@medusajs/medusa/core-flows"
import { decide, hasPart, isRestAwaited, mayHaveMoney } from "../../decision"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import { CREATION_ENDS_MS } from "../../modules/crypto-payments/payment-requests/request-sql"
import { CART_LOCK_S, runInCore, whileLocked } from "./cart-lock"
import { findOpenChange, isRepriced } from "./open-order-changes"
import { warn, type Settling } from "./settling"

/**
 * Cancels an unpaid order whose time is over, which frees its stock. Core's capture holds the same lock. So a payment
 * is either captured first, and nothing is cancelled, or it is late and becomes a case. Waiting for the lock takes
 * time, so under the lock everything is read and decided again, for each of the order's links. When core hangs, the
 * lock is given up: an order that core still cancels after it was paid is found by the schedule and becomes a case.
 *
 * Core cancels no order with an open change or a fulfilment: the order is left alone and tried again.
 *
 * @returns false when something keeps core from cancelling the order; true also when it has to wait for the lock
 */
export async function cancelUnpaidOrder(settling: Omit<Settling, "facts">): Promise<boolean> {
  const { container, ledger, row } = settling
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  try {
    const held = await whileLocked(container, row.cart_id ?? row.id, CART_LOCK_S, async () => {
      const facts = await ledger.facts.read(row.id)
      const { order_id, unpaid_ttl_minutes } = facts
      if (order_id === null || !(await isStillOverdue({ ...settling, facts }, order_id))) {
        return true
      }
      // Core would notice the change only after it has released the order's stock.
      if ((await findOpenChange(container, order_id)) !== undefined) {
        return false
      }
      const ttlMs = (unpaid_ttl_minutes ?? 0) * 60_000
      if (await isRepriced(container, order_id, new Date(facts.database_now.getTime() - ttlMs))) {
        // The event of that change was lost, or comes later.
        await ledger.orderLinks.restartTime(order_id)
        return true
      }
      await runInCore(container, cancelOrderWorkflowId, { order_id })
      await ledger.orderLinks.withdraw(order_id)
      await ledger.requests.addActivity(row.id, "closed", { reason: "unpaid_order_canceled", order_id })
      logger.info(`crypto payment ${row.id}: order ${order_id} was not paid in time and is cancelled`)
      return true
    })
    if (held === undefined) {
      logger.info(`crypto payment ${row.id}: its unpaid order is in use, and is looked at again later`)
    }
    return held?.result ?? true
  } catch (error) {
    warn(container, `crypto payment ${row.id}: its unpaid order could not be cancelled`, error)
    return false
  }
}

/** Reads every link of the order: each has to allow the cancellation, because any of them may be being paid. */
async function isStillOverdue({ ledger, row, facts }: Settling, orderId: string): Promise<boolean> {
  for (const link of await ledger.orderLinks.check(orderId)) {
    if (link.id !== row.id && isOver(link, facts.database_now)) {
      continue
    }
    if (decide({ row: link, facts }).kind !== "expire") {
      return false
    }
  }
  return true
}

/** Whether another link cannot matter: forgotten by the gateway, never offered, or its money or part was sent back. */
function isOver(row: CryptoPaymentRequestRow, now: Date): boolean {
  const { state, created_at } = row
  const isNeverCreated = state === "creating" && now.getTime() - created_at.getTime() > CREATION_ENDS_MS
  // One that was closed as another account's may be reported as paid later: that is a case until it is resolved.
  const isForgotten = state === "closed" && !mayHaveMoney(row)
  const isPartSentBack = hasPart(row) && !isRestAwaited(row)
  return isForgotten || isPartSentBack || state === "refunded" || isNeverCreated
}
