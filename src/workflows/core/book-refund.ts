import type { MedusaContainer, OrderTransactionDTO } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual, type DecidedFacts } from "../../decision"
import { resolveLedger } from "../../modules/crypto-payments"
import { notAllowed, notFound } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRefundRow } from "../../modules/crypto-payments/models/crypto-payment-refund"
import { isInterrupted, dropInterruptedRefunds } from "./interrupted"
import { withTransfersSetAside } from "./open-order-changes"
import { correctOrderSums } from "./stored-sums"

/** The part of core's `refundPaymentWorkflow` after the transaction. Core registers it and does not export it. */
const CREATE_CREDIT_LINES = "create-order-refund-credit-lines"
/** How core marks a credit line of a refund that has no reason from the merchant's list of reasons. */
const CREDIT_REFERENCE = "payment_collection"

interface CreditLine {
  reference: string | null
  metadata: { created_in_version?: number } | null
}

interface OrderBooks {
  currency_code: string
  /** Major units; below zero when the order owes its customer. */
  summary?: { pending_difference?: string | number }
  credit_lines?: CreditLine[] | null
}

/**
 * Books a registered refund of a captured payment in Medusa, or finishes an interrupted booking.
 *
 * @throws MedusaError 400 while core may still be booking it: both would add to the order's books
 */
export async function bookRefund(
  container: MedusaContainer,
  refund: CryptoPaymentRefundRow,
  facts: DecidedFacts & { payment_id: string }
): Promise<void> {
  const { refunds } = resolveLedger(container)
  const { payment_id, order_id, order_canceled } = facts
  const book = async (): Promise<void> => {
    const isUnderWay = await dropInterruptedRefunds(container, payment_id)
    const ageInMedusaMs = await refunds.ageInMedusaMs(refund)
    if (isUnderWay || (ageInMedusaMs !== null && !isInterrupted(ageInMedusaMs))) {
      throw notAllowed(
        "This refund is being booked at this moment. Register it again in a minute, with the same reference.",
        "refund_unfinished"
      )
    }
    if (ageInMedusaMs === null) {
      const input = {
        payment_id,
        amount: amountInBooks(refund, facts),
        note: refund.reference,
        ...(refund.created_by === null ? {} : { created_by: refund.created_by }),
      }
      // Core's workflow needs an order that is not cancelled.
      await (order_id !== null && !order_canceled
        ? refundPaymentWorkflow(container).run({ input })
        : container.resolve(Modules.PAYMENT).refundPayment(input))
    }
    if (order_id !== null) {
      // Another change of the order that was confirmed meanwhile can leave out the refund's sums and its credit line.
      await correctOrderSums(container, order_id)
      await finishOrderBooks(container, await refunds.find(refund), { ...facts, order_id })
    }
  }
  await (order_id === null || order_canceled ? book() : withTransfersSetAside(container, order_id, book))
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

/**
 * Core books the refund, then the order's transaction, then the credit line that lowers the order's total. A crash
 * leaves out the later ones; each is looked for before it is added.
 */
async function finishOrderBooks(
  container: MedusaContainer,
  refund: CryptoPaymentRefundRow,
  { order_id, order_canceled, payment_id }: { order_id: string; order_canceled: boolean; payment_id: string }
): Promise<void> {
  const orders = container.resolve(Modules.ORDER)
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "order",
    // Without its total, core would answer with stored figures, which still count the items of a pending return.
    fields: ["total", "currency_code", "summary.*", "credit_lines.reference", "credit_lines.metadata"],
    filters: { id: order_id },
  })
  const [order] = data as unknown as OrderBooks[]
  if (order === undefined) {
    throw notFound(`There is no order ${order_id}.`)
  }
  const { currency_code, summary, credit_lines } = order
  const reference_id = refund.medusa_refund_id ?? ""
  const [booked] = await container.resolve(Modules.PAYMENT).listRefunds({ id: [reference_id] })
  const amount = booked?.amount ?? refund.amount
  const known = await orders.listOrderTransactions({
    order_id,
    reference: "refund",
    // When core cancels an order, it books the whole payment as refunded under the payment's id, without a refund.
    reference_id: order_canceled ? [reference_id, payment_id] : reference_id,
  })
  if (known.length === 0) {
    const negative = MathBN.mult(amount, -1)
    await orders.addOrderTransactions({
      order_id,
      amount: negative,
      currency_code,
      reference: "refund",
      reference_id,
    })
  }
  if (order_canceled || hasCreditLine(credit_lines ?? [], known[0])) {
    return
  }
  const pending = summary?.pending_difference ?? 0
  const owedBefore = MathBN.mult(known.length === 0 ? pending : MathBN.sub(pending, amount), -1)
  // As in core's refundPaymentWorkflow: what the order owed its customer before needs no credit line.
  const credit = MathBN.sub(amount, MathBN.max(owedBefore, 0))
  if (MathBN.gt(credit, 0)) {
    await container
      .resolve(Modules.WORKFLOW_ENGINE)
      .run(CREATE_CREDIT_LINES, { input: { order_id, amount: credit } })
  }
}

/**
 * Whether a booked refund has its credit line. Core creates it right after the refund's transaction, as a change that
 * begins the order's next version, and stores that version with each copy of the line.
 */
function hasCreditLine(lines: CreditLine[], transaction: OrderTransactionDTO | undefined): boolean {
  // Core's type of a transaction has no version.
  const bookedInVersion = (transaction as { version?: number } | undefined)?.version
  return (
    bookedInVersion !== undefined &&
    lines.some(
      ({ reference, metadata }) =>
        reference === CREDIT_REFERENCE && (metadata?.created_in_version ?? 0) > bookedInVersion
    )
  )
}
