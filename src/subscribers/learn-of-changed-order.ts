import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderEditWorkflowEvents, OrderWorkflowEvents } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { settleInTurn } from "../workflows/settle-in-turn"

/**
 * An order was edited, or something of it is returned, exchanged or claimed: its open links are replaced when they ask
 * for another amount than it owes now, and cases about too little or too much are looked at. If this event is lost, the
 * sweep of changed orders finds them.
 */
export default async function learnOfChangedOrder({
  event,
  container,
}: SubscriberArgs<{ order_id: string }>): Promise<void> {
  const ledger = resolveLedger(container)
  for (const id of await ledger.changedOrders.makeOrderDue(event.data.order_id)) {
    void settleInTurn(container, id, "order_changed")
  }
}

export const config: SubscriberConfig = {
  event: [
    OrderEditWorkflowEvents.CONFIRMED,
    OrderWorkflowEvents.EXCHANGE_CREATED,
    OrderWorkflowEvents.CLAIM_CREATED,
    OrderWorkflowEvents.RETURN_REQUESTED,
    OrderWorkflowEvents.RETURN_RECEIVED,
  ],
  context: { subscriberId: "crypto-payment-learn-of-changed-order" },
}
