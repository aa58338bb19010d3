import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderEditWorkflowEvents, OrderWorkflowEvents } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { settleWorker } from "../workflows/settle-worker"

/**
 * Settles what an event of an order concerns. If an event is lost, a sweep finds the same rows.
 *
 * - Placed: notes `order.placed` as sent, and settles what a storefront's own completion of the cart has captured.
 * - Cancelled: withdraws its links and checks its payments again, because code or a race can bypass our guard.
 * - Edited, or something came back, was exchanged or claimed: begins the time of an unpaid order again, and checks open
 *   links and cases about sums.
 */
export default async function onOrderChanged({
  event,
  container,
}: SubscriberArgs<{ id: string; order_id: string }>): Promise<void> {
  const { announcements, orderLinks, queue } = resolveLedger(container)
  const { id, order_id: changedId } = event.data
  switch (event.name) {
    case OrderWorkflowEvents.PLACED:
      await announcements.noteOrderAnnounced(id)
      await queue.makeOrderDue(id, "placed")
      break
    case OrderWorkflowEvents.CANCELED:
      await orderLinks.withdraw(id)
      await queue.makeOrderDue(id, "canceled")
      break
    default:
      // Whoever is to pay the order as it is now has its whole time for that.
      await orderLinks.restartTime(changedId)
      await queue.makeOrderDue(changedId, "changed")
  }
  // Not awaited: the bus gives this process one event at a time.
  settleWorker.wake(container)
}

export const config: SubscriberConfig = {
  event: [
    OrderWorkflowEvents.PLACED,
    OrderWorkflowEvents.CANCELED,
    OrderEditWorkflowEvents.CONFIRMED,
    OrderWorkflowEvents.EXCHANGE_CREATED,
    OrderWorkflowEvents.CLAIM_CREATED,
    OrderWorkflowEvents.RETURN_RECEIVED,
  ],
  context: { subscriberId: "crypto-payment-on-order-changed" },
}
