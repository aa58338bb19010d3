import type { IOrderModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { isInterrupted } from "./interrupted"
import { listOpenChanges, type OpenOrderChange } from "./open-order-changes"

/**
 * Takes back the credit line of a refund or a cancellation that core did not finish because its process died. Core
 * leaves it as an open change of the order, and would neither book a refund nor cancel the order ever again.
 *
 * @returns the order's other open changes, which are somebody's work
 */
export async function dropInterruptedCredit(
  container: MedusaContainer,
  orderId: string
): Promise<OpenOrderChange[]> {
  const open = await listOpenChanges(container, orderId)
  if (open.length === 0) {
    return []
  }
  const now = await container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE).databaseNow()
  const isDead = ({ type, createdAt }: OpenOrderChange): boolean =>
    type === "credit_line" && isInterrupted(now.getTime() - createdAt.getTime())
  for (const { id } of open.filter(isDead)) {
    await container.resolve<IOrderModuleService>(Modules.ORDER).cancelOrderChange(id)
  }
  return open.filter((change) => !isDead(change))
}
