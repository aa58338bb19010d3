import type { Facts, MedusaOrder, MedusaPayment } from "./audit-facts"
import { isSame, sum } from "./money"

/** What is wrong with a refund, and in whose favour. */
export interface RefundFault {
  verdict: "lost" | "doubled" | "falsely_paid"
  why: string
}

export type SentBack = "nothing" | "part" | "all"

/** How much of a payment of so much the ledger knows to be sent back. */
export function howMuchSentBack(id: string, paid: string, { refunds }: Facts): SentBack {
  const back = sum(refunds.filter(({ paymentRequestId }) => paymentRequestId === id))
  return back <= 0 ? "nothing" : isSame(back, paid) || back > Number(paid) ? "all" : "part"
}

/** Follows each refund from the merchant's hand through the ledger into Medusa's payment. */
export function findRefundFault(
  id: string,
  paid: string,
  payment: MedusaPayment | undefined,
  facts: Facts
): RefundFault | undefined {
  const ledger = facts.refunds.filter(({ paymentRequestId }) => paymentRequestId === id)
  const made = facts.made.filter(({ paymentRequestId }) => paymentRequestId === id)
  for (const { reference, amount } of made) {
    const known = ledger.filter((one) => one.reference === reference && isSame(one.amount, amount))
    if (known.length !== 1 || known[0]?.state !== "applied") {
      return {
        verdict: known.length > 1 ? "doubled" : "lost",
        why: `the refund ${reference} was registered, and the ledger has ${known.map(({ state }) => state).join(", ") || "nothing"}`,
      }
    }
  }
  if (ledger.length > made.length || sum(ledger) - Number(paid) > 0.005) {
    return { verdict: "doubled", why: `the ledger has refunds of ${sum(ledger).toFixed(2)} nobody made` }
  }
  const inMedusa = payment?.refunds ?? []
  if (payment !== undefined && !isSame(sum(inMedusa), sum(ledger))) {
    const isLess = sum(inMedusa) < sum(ledger)
    return {
      verdict: isLess ? "lost" : "doubled",
      why: `sent back ${sum(ledger).toFixed(2)}, and Medusa's payment says ${sum(inMedusa).toFixed(2)}`,
    }
  }
  return undefined
}

/** Follows the refunds of a payment on to its order, which must not have been placed for money that was gone. */
export function findRefundFaultOfOrder(
  id: string,
  { refunds }: MedusaPayment,
  order: MedusaOrder,
  { facts, sentBack }: { facts: Facts; sentBack: SentBack }
): RefundFault | undefined {
  for (const { id: refundId, amount } of refunds) {
    const booked = order.transactions.filter(({ reference_id }) => reference_id === refundId)
    if (booked.length !== 1 || !isSame(-Number(booked[0]?.amount), amount)) {
      return {
        verdict: booked.length > 1 ? "doubled" : "lost",
        why: `the refund ${refundId} is booked on order ${order.id} ${booked.length} times`,
      }
    }
  }
  const lastAt = Math.max(
    ...facts.refunds
      .filter(({ paymentRequestId }) => paymentRequestId === id)
      .map(({ registeredAt }) => registeredAt.getTime())
  )
  if (sentBack === "all" && order.created_at.getTime() - facts.aheadMs > lastAt) {
    return { verdict: "falsely_paid", why: `order ${order.id} was placed after all of it was sent back` }
  }
  if (!isSame(order.credited, sum(refunds))) {
    return {
      verdict: Number(order.credited) < sum(refunds) ? "lost" : "doubled",
      why: `sent back ${sum(refunds).toFixed(2)}, and order ${order.id} was credited with ${order.credited}`,
    }
  }
  return undefined
}
