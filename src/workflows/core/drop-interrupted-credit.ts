import type { IOrderModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { isInterrupted } from "./interrupted"

/**
 * Takes back the credit line of a refund or a cancellation that core did not finish because its process died. Core
 * leaves it as an open change of the order, and would neither book a refund nor cancel the order ever again.
 *
 * @returns whether the order is being edited by somebody else
 */
export async function dropInterruptedCredit(container: MedusaContainer, orderId: string): Promise<boolean> {
  const orders = container.resolve<IOrderModuleService>(Modules.ORDER)
  const open = await orders.listOrderChanges(
    { order_id: orderId, status: ["pending", "requested"] },
    { select: ["id", "change_type", "created_at"] }
  )
  if (open.length === 0) {
    return false
  }
  const now = await container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE).databaseNow()
  const interrupted = open.filter(
    ({ change_type, created_at }) =>
      String(change_type) === "credit_line" && isInterrupted(now.getTime() - new Date(created_at).getTime())
  )
  for (const { id } of interrupted) {
    await orders.cancelOrderChange(id)
  }
  return open.length > interrupted.length
}
