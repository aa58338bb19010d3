import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CryptoPaymentEvents } from "../modules/crypto-payments/events"
import { settleWorker } from "../workflows/settle-worker"

/** Something is due: this process settles it. If the event is lost, the next tick settles it. */
export default async function wakeWorker({ container }: SubscriberArgs): Promise<void> {
  // Not awaited: the bus gives this process one event at a time.
  settleWorker.wake(container)
  await Promise.resolve()
}

export const config: SubscriberConfig = {
  event: CryptoPaymentEvents.CHECK_REQUESTED,
  context: { subscriberId: "crypto-payment-wake-worker" },
}
