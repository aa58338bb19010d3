import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { settleInTurn } from "../workflows/settle-in-turn"

/** A provider has no workflow engine: it makes the row due and asks here. If this is lost, the next tick settles. */
export default async function settleOnRequest({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  // The bus hands this process one event at a time, so it is not kept waiting for the gateway.
  void settleInTurn(container, event.data.id, "provider")
  await Promise.resolve()
}

export const config: SubscriberConfig = {
  event: "crypto_payment.check_requested",
  context: { subscriberId: "crypto-payment-settle-on-request" },
}
