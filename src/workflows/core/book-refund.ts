import type { MedusaContainer } from "@medusajs/framework/types"
import { MathBN, Modules } from "@medusajs/framework/utils"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual, type DecidedFacts } from "../../decision"
import { resolveLedger } from "../../modules/crypto-payments"
import { notAllowed } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRefundRow } from "../../modules/crypto-payments/models/crypto-payment-refund"
import { deleteRefunds, dropInterruptedRefunds, isInterrupted } from "./interrupted"
import { refuseBesideOpenChange } from "./open-order-changes"

/**
 * Books a registered refund of a captured payment in Medusa. If core's process died before it booked the refund on the
 * order, or core took that booking back, core books the refund again, with everything that follows.
 *
 * @throws MedusaError 400 while core may still be booking it, or while a change of the order is open
 */
export async function bookRefund(
  container: MedusaContainer,
  refund: CryptoPaymentRefundRow,
  facts: DecidedFacts & { payment_id: string }
): Promise<void> {
  const { refunds } = resolveLedger(container)
  const { payment_id, order_id, order_canceled } = facts
  const isOnOrder = order_id !== null && !order_canceled
  const isUnderWay = await dropInterruptedRefunds(container, payment_id)
  const ageInMedusaMs = await refunds.ageInMedusaMs(refund)
  if (isUnderWay || (ageInMedusaMs !== null && !isInterrupted(ageInMedusaMs))) {
    throw notAllowed(
      "This refund is being booked at this moment. Register it again in a minute, with the same reference.",
      "refund_unfinished"
    )
  }
  const isInMedusa = ageInMedusaMs !== null && refund.medusa_refund_id !== null
  const isBooked = isInMedusa && (!isOnOrder || (await isOnBooks(container, order_id, refund)))
  if (!isBooked) {
    if (isOnOrder) {
      await refuseBesideOpenChange(container, order_id)
    }
    if (isInMedusa) {
      await deleteRefunds(container, [refund.medusa_refund_id as string])
    }
    const input = {
      payment_id,
      amount: amountInBooks(refund, facts),
      note: refund.reference,
      ...(refund.created_by === null ? {} : { created_by: refund.created_by }),
    }
    // Core's workflow needs an order that is not cancelled.
    await (isOnOrder
      ? refundPaymentWorkflow(container).run({ input })
      : container.resolve(Modules.PAYMENT).refundPayment(input))
  }
  if (order_id !== null && order_canceled) {
    await bookOnCanceled(container, await refunds.find(refund), order_id, payment_id)
  }
}

/**
 * The amount that core books for a refund. The gateway takes two decimals, and core may have captured more of them. So
 * the refund that sends back all that is left takes what is left in core's books.
 */
function amountInBooks(
  { amount }: CryptoPaymentRefundRow,
  { payment_captured, payment_refunded }: DecidedFacts
): string {
  const left = MathBN.sub(payment_captured, payment_refunded)
  return amountsEqual(left, amount) ? left.toFixed() : amount
}

async function isOnBooks(
  container: MedusaContainer,
  order_id: string,
  { medusa_refund_id }: CryptoPaymentRefundRow,
  paymentId?: string
): Promise<boolean> {
  const reference_id = [medusa_refund_id ?? "", ...(paymentId === undefined ? [] : [paymentId])]
  const orders = container.resolve(Modules.ORDER)
  return (await orders.listOrderTransactions({ order_id, reference: "refund", reference_id })).length > 0
}

/** When core cancels an order, it books the whole payment as refunded under the payment's id, without a refund. */
async function bookOnCanceled(
  container: MedusaContainer,
  refund: CryptoPaymentRefundRow,
  order_id: string,
  paymentId: string
): Promise<void> {
  if (await isOnBooks(container, order_id, refund, paymentId)) {
    return
  }
  const reference_id = refund.medusa_refund_id ?? ""
  const [booked] = await container.resolve(Modules.PAYMENT).listRefunds({ id: [reference_id] })
  const orders = container.resolve(Modules.ORDER)
  const { currency_code } = await orders.retrieveOrder(order_id, { select: ["id", "currency_code"] })
  const amount = MathBN.mult(booked?.amount ?? refund.amount, -1)
  await orders.addOrderTransactions({ order_id, amount, currency_code, reference: "refund", reference_id })
}
