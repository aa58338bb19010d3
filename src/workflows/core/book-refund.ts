import type { MedusaContainer } from "@medusajs/framework/types"
import { MathBN, Modules } from "@medusajs/framework/utils"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual, type DecidedFacts } from "../../decision"
import { resolveLedger } from "../../modules/crypto-payments"
import { notAllowed } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRefundRow } from "../../modules/crypto-payments/models/crypto-payment-refund"
import { queryStore } from "../../modules/crypto-payments/store-query"
import { refuseBesideOpenChange } from "./open-order-changes"

/** Core ends its work within seconds. Otherwise its process died or gave up. By the database: clocks differ. */
const INTERRUPTED_AFTER_MS = 60_000

/** Core's payment module has this method and leaves it out of its interface. */
interface DeletesRefunds {
  deleteRefunds: (ids: string[]) => Promise<void>
}

async function deleteRefunds(container: MedusaContainer, ids: string[]): Promise<void> {
  await container.resolve<DeletesRefunds>(Modules.PAYMENT).deleteRefunds(ids)
}

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
  if (isUnderWay || (ageInMedusaMs !== null && ageInMedusaMs < INTERRUPTED_AFTER_MS)) {
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
    const { refund_reason_id: reason } = refund
    const input = {
      payment_id,
      amount: amountInBooks(refund, facts),
      // The order's page shows both.
      note: [refund.reference, refund.note].filter(Boolean).join(": "),
      // Core books nothing with a reason that was deleted meanwhile.
      ...(reason !== null && (await isReason(reason)) ? { refund_reason_id: reason } : {}),
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

/** Whether Medusa has the refund reason; none is one, too. */
export async function isReason(id: string | null): Promise<boolean> {
  return id === null || (await queryStore("refund_reason", ["id"], { id })).length > 0
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

/**
 * Deletes core's refunds whose process died before it asked the provider, which would have refused. Nobody sent that
 * money back, and core would count it as refunded. @returns whether such a refund may be running at this moment
 */
async function dropInterruptedRefunds(container: MedusaContainer, paymentId: string): Promise<boolean> {
  const unasked = await resolveLedger(container).refunds.listUnasked(paymentId)
  const interrupted = unasked.filter(({ age_ms }) => age_ms >= INTERRUPTED_AFTER_MS)
  if (interrupted.length > 0) {
    await deleteRefunds(
      container,
      interrupted.map(({ id }) => id)
    )
  }
  return unasked.length > interrupted.length
}
