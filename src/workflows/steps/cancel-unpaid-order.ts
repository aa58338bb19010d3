import type {
  ILockingModule,
  IWorkflowEngineService,
  Logger,
  MedusaContainer,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflowId } from "@medusajs/medusa/core-flows"
import { describeError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"

const CART_LOCK_S = 30
/** The settle that leads here has just read its own link; the order's other links are read now. */
const JUST_READ_MS = 5000

/**
 * Cancels an order that was placed unpaid and whose time is over, which frees its stock. Core's capture holds the same
 * lock, so a payment is either captured first, and nothing is cancelled, or comes late and stands on the attention list.
 *
 * An order that cannot be cancelled, such as one that was sent all the same, is left alone and tried again.
 */
export async function cancelUnpaidOrder(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  { id, cart_id }: CryptoPaymentRequestRow
): Promise<void> {
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  try {
    await container.resolve<ILockingModule>(Modules.LOCKING).execute(
      cart_id ?? id,
      async () => {
        const facts = await ledger.readSettlementFacts(id)
        if (facts?.order_id == null || facts.order_expires_from === null || facts.order_canceled) {
          return
        }
        await ledger.refuseCancelWhilePaid(facts.order_id, JUST_READ_MS)
        await container
          .resolve<IWorkflowEngineService>(Modules.WORKFLOW_ENGINE)
          .run(cancelOrderWorkflowId, { input: { order_id: facts.order_id } })
        await ledger.withdrawLinksOfOrder(facts.order_id)
        await ledger.addActivity(id, "closed", { reason: "unpaid_order_canceled", order_id: facts.order_id })
        logger.info(`crypto payment ${id}: order ${facts.order_id} was not paid in time and is cancelled`)
      },
      { timeout: CART_LOCK_S }
    )
  } catch (error) {
    logger.warn(`crypto payment ${id}: its unpaid order could not be cancelled (${describeError(error)})`)
  }
}
