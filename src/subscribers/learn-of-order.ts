import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderEditWorkflowEvents, OrderWorkflowEvents } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { settleWorker } from "../workflows/settle-worker"

/**
 * Settles what an event of an order concerns. If an event is lost, a sweep finds the same rows.
 *
 * - Placed: `order.placed` is noted as sent. What a storefront's own completion of the cart has captured is settled.
 * - Cancelled: its links are not offered any more, and what was paid for it is looked at again, because an order can be
 *   cancelled past our guard, by code or in a race.
 * - Edited, or something of it is returned, exchanged or claimed: its open links are replaced when they ask for another
 *   amount than it owes now, and cases about too little or too much are looked at.
 */
export default async function learnOfOrder({
  event,
  container,
}: SubscriberArgs<{ id: string; order_id: string }>): Promise<void> {
  const { changedOrders, orderLinks, queue, sweeps } = resolveLedger(container)
  const { id, order_id: changedId } = event.data
  switch (event.name) {
    case OrderWorkflowEvents.PLACED:
      await sweeps.noteOrderAnnounced(id)
      await queue.makePlacedDue(id)
      break
    case OrderWorkflowEvents.CANCELED:
      await orderLinks.withdraw(id)
      await queue.makeChangedDue(id)
      break
    default:
      await changedOrders.makeOrderDue(changedId)
  }
  // The bus hands this process one event at a time, so it is not kept waiting for the gateway.
  settleWorker.wake(container)
}

export const config: SubscriberConfig = {
  event: [
    OrderWorkflowEvents.PLACED,
    OrderWorkflowEvents.CANCELED,
    OrderEditWorkflowEvents.CONFIRMED,
    OrderWorkflowEvents.EXCHANGE_CREATED,
    OrderWorkflowEvents.CLAIM_CREATED,
    OrderWorkflowEvents.RETURN_REQUESTED,
    OrderWorkflowEvents.RETURN_RECEIVED,
  ],
  context: { subscriberId: "crypto-payment-learn-of-order" },
}
