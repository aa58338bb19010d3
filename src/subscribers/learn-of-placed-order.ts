import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { resolveLedger } from "../modules/crypto-payments"
import { settleInTurn } from "../workflows/settle-in-turn"

/**
 * Notes that `order.placed` was sent, and settles what a storefront's own completion of the cart has captured. If this
 * event is lost, the sweep sends it again, and the next tick settles.
 */
export default async function learnOfPlacedOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const ledger = resolveLedger(container)
  await ledger.sweeps.noteOrderAnnounced(event.data.id)
  for (const id of await ledger.queue.makePlacedDue(event.data.id)) {
    // The bus hands this process one event at a time, so it is not kept waiting for the gateway.
    void settleInTurn(container, id, "order_changed")
  }
}

export const config: SubscriberConfig = {
  event: "order.placed",
  context: { subscriberId: "crypto-payment-learn-of-placed-order" },
}
