import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { settlePaymentRequestWorkflow } from "../workflows"

/** A provider has no workflow engine: it makes the row due and asks here. If this is lost, the next tick settles. */
export default async function settleOnRequest({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  await settlePaymentRequestWorkflow(container).run({ input: { id: event.data.id, trigger: "provider" } })
}

export const config: SubscriberConfig = {
  event: "crypto_payment.check_requested",
  context: { subscriberId: "crypto-payment-settle-on-request" },
}
