import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { resolveLedger } from "../modules/crypto-payments"
import { settleInTurn } from "../workflows/settle-in-turn"

/**
 * The links of a cancelled order are not offered any more, and what was paid for it is looked at again: an order can be
 * cancelled past our guard, by code or in a race. If this event is lost, the sweep of settled payments finds the order.
 */
export default async function learnOfCanceledOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const ledger = resolveLedger(container)
  await ledger.orderLinks.withdraw(event.data.id)
  for (const id of await ledger.queue.makeChangedDue(event.data.id)) {
    void settleInTurn(container, id, "order_changed")
  }
}

export const config: SubscriberConfig = {
  event: "order.canceled",
  context: { subscriberId: "crypto-payment-learn-of-canceled-order" },
}
