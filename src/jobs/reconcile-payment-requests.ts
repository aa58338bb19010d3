import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { settlePaymentRequestWorkflow } from "../workflows"

const ROWS_PER_TICK = 200
const CONCURRENCY = 5

/** Settles what is due, so that a lost notification or a dead instance costs time and never money. */
export default async function reconcilePaymentRequests(container: MedusaContainer): Promise<void> {
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  const due = await ledger.settlements.listDue(ROWS_PER_TICK)
  const settleNext = async (): Promise<void> => {
    for (let id = due.shift(); id !== undefined; id = due.shift()) {
      try {
        await settlePaymentRequestWorkflow(container).run({ input: { id, trigger: "schedule" } })
      } catch {
        // One broken row must not stop the others; it keeps its place in the back-off.
        logger.error(`crypto payment ${id}: settling failed, it is tried again`)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, settleNext))
}

export const config = {
  name: "reconcile-payment-requests",
  schedule: "* * * * *",
}
