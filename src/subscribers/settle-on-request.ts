import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { settleWorker } from "../workflows/settle-worker"

/** Something is due: this process settles it. If the event is lost, the next tick settles it. */
export default async function settleOnRequest({ container }: SubscriberArgs): Promise<void> {
  // Not awaited: the bus gives this process one event at a time.
  settleWorker.wake(container)
  await Promise.resolve()
}

export const config: SubscriberConfig = {
  event: "crypto_payment.check_requested",
  context: { subscriberId: "crypto-payment-settle-on-request" },
}
