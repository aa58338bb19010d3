import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CRYPTO_PAYMENTS_MODULE } from "../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { settlePaymentRequestWorkflow } from "../workflows"

/**
 * When the storefront completes the cart, authorizing captures and nobody settles: the ledger learns here that the
 * order exists. If this is lost, the next tick learns it.
 */
export default async function learnOfPlacedOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  for (const id of await ledger.due.makeOrderDue(event.data.id)) {
    await settlePaymentRequestWorkflow(container).run({ input: { id, trigger: "order_changed" } })
  }
}

export const config: SubscriberConfig = {
  event: "order.placed",
  context: { subscriberId: "crypto-payment-learn-of-placed-order" },
}
