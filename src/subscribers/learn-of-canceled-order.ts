import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CRYPTO_PAYMENTS_MODULE } from "../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { settlePaymentRequestWorkflow } from "../workflows"

/**
 * A cancelled order's links are not offered any more. And an order can be cancelled past our guard, by code or in a race:
 * what was paid for it is then looked at again.
 */
export default async function learnOfCanceledOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  await ledger.withdrawLinksOfOrder(event.data.id)
  for (const id of await ledger.due.reopenOrder(event.data.id)) {
    await settlePaymentRequestWorkflow(container).run({ input: { id, trigger: "order_changed" } })
  }
}

export const config: SubscriberConfig = {
  event: "order.canceled",
  context: { subscriberId: "crypto-payment-learn-of-canceled-order" },
}
