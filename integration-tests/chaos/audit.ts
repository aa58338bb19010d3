import type { GatewayPayment } from "../support/gateway-control"
import type { Facts, LedgerRow, MedusaOrder, MedusaPayment } from "./audit-facts"
import { findRefundFault, findRefundFaultOfOrder, howMuchSentBack, type SentBack } from "./audit-refunds"
import { isSame, sum } from "./money"

export type Verdict =
  "unpaid" | "captured_once" | "sent_back" | "attention" | "lost" | "doubled" | "falsely_paid"

/** What the audit found of one payment request, or of something in Medusa that belongs to none. */
export interface Finding {
  verdict: Verdict
  /** The gateway's id, or Medusa's where the gateway has none. */
  id: string
  /** The attention reason, or what is wrong. */
  why: string
}

/** Compares the three sides row by row: gateway, ledger, Medusa. */
export function audit(facts: Facts): Finding[] {
  const known = new Set(facts.gateway.map(({ payment_request_id }) => payment_request_id))
  return [
    ...facts.gateway.map((payment) => judgeRequest(payment, facts)),
    ...facts.payments
      .filter(
        ({ is_crypto, payment_request_id, captures }) =>
          is_crypto && captures.length > 0 && !known.has(payment_request_id ?? "")
      )
      .map(({ id }) => finding("falsely_paid", id, "captured, and the gateway knows no such request")),
    ...facts.orders.flatMap((order) => judgeOrder(order, facts)),
  ]
}

function judgeRequest(request: GatewayPayment, facts: Facts): Finding {
  const id = request.payment_request_id
  const rows = facts.ledger.filter((row) => row.payment_request_id === id)
  const captured = facts.payments.filter(
    (payment) => payment.payment_request_id === id && payment.captures.length > 0
  )
  if (request.paid_at === null) {
    return captured.length > 0 || rows.some(({ paid_at, captured_at }) => paid_at ?? captured_at)
      ? finding("falsely_paid", id, "UNPAID at the gateway")
      : finding("unpaid", id, "")
  }
  const [row, ...others] = rows
  if (row === undefined || others.length > 0) {
    return finding("lost", id, `${rows.length} ledger rows`)
  }
  const attention = row.attention_resolved_at === null ? row.attention_reason : null
  const [payment, ...further] = captured
  const fault = findRefundFault(id, request.amount, payment, facts)
  if (fault !== undefined) {
    return finding(fault.verdict, id, fault.why)
  }
  const sentBack = howMuchSentBack(id, request.amount, facts)
  if (payment === undefined && sentBack === "all") {
    return finding("sent_back", id, "never captured")
  }
  if (payment === undefined) {
    return attention === null
      ? finding("lost", id, "neither captured nor on the attention list")
      : finding("attention", id, attention)
  }
  if (further.length > 0) {
    return finding("doubled", id, `captured by ${captured.length} payments`)
  }
  return judgeCapture({ request, row, payment, attention, sentBack }, facts)
}

interface Captured {
  request: GatewayPayment
  row: LedgerRow
  payment: MedusaPayment
  attention: string | null
  sentBack: SentBack
}

function judgeCapture({ request, row, payment, attention, sentBack }: Captured, facts: Facts): Finding {
  const id = request.payment_request_id
  const [capture, ...more] = payment.captures
  if (capture === undefined || more.length > 0) {
    return finding("doubled", id, `${payment.captures.length} captures of one payment`)
  }
  if (
    !isSame(capture.amount, request.amount) ||
    payment.currency_code.toUpperCase() !== request.currency_symbol ||
    payment.payment_collection_id !== row.payment_collection_id
  ) {
    return finding("falsely_paid", id, "captured for another amount, currency or cart")
  }
  if (payment.canceled_at !== null) {
    return finding("lost", id, "captured, then cancelled")
  }
  const orders = facts.orders.filter((order) => order.cart_id === row.cart_id)
  const [order, ...furtherOrders] = orders
  if (order === undefined && sentBack === "all") {
    return finding("sent_back", id, "captured, never ordered")
  }
  if (order === undefined) {
    return attention === null
      ? finding("lost", id, "captured, and there is neither an order nor an attention")
      : finding("attention", id, attention)
  }
  if (furtherOrders.length > 0) {
    return finding("doubled", id, `${orders.length} orders of one cart`)
  }
  return judgeOrderOf({ request, row, payment, attention, sentBack }, { order, capture }, facts)
}

function judgeOrderOf(
  { request, row, payment, attention, sentBack }: Captured,
  { order, capture }: { order: MedusaOrder; capture: MedusaPayment["captures"][number] },
  facts: Facts
): Finding {
  const id = request.payment_request_id
  const booked = order.transactions.filter(({ reference_id }) => reference_id === capture.id)
  if (booked.length === 0 && order.canceled && attention !== null) {
    // Cancelled between core's capture and its booking. Registering the refund books the capture first.
    return finding("attention", id, attention)
  }
  if (booked.length !== 1 || !isSame(booked[0]?.amount ?? "", capture.amount)) {
    return finding(
      booked.length > 1 ? "doubled" : "lost",
      id,
      `captured, and booked on order ${order.id} ${booked.length} times`
    )
  }
  const fault = findRefundFaultOfOrder(id, payment, order, { facts, sentBack })
  if (fault !== undefined) {
    return finding(fault.verdict, id, fault.why)
  }
  if (order.canceled && sentBack !== "all") {
    return attention === null
      ? finding("lost", id, `order ${order.id} is cancelled, and the money was not sent back`)
      : finding("attention", id, attention)
  }
  if (row.settled_at === null) {
    return finding("lost", id, "captured and ordered, and the ledger never settled it")
  }
  const notes = { nothing: [], part: ["refunded in part"], all: ["refunded"] }[sentBack]
  const whole = [
    ...(attention === null ? [] : [attention]),
    ...notes,
    ...(order.canceled ? ["cancelled"] : []),
  ]
  return finding("captured_once", id, whole.join(" and "))
}

/** An order never holds more money than it asks for, and none that the gateway did not take. */
function judgeOrder(order: MedusaOrder, facts: Facts): Finding[] {
  const known = new Set(
    facts.payments.flatMap(({ captures, refunds }) => [...captures, ...refunds]).map(({ id }) => id)
  )
  const received = sum(order.transactions)
  return [
    ...(received - Number(order.total) > 0.005
      ? [finding("doubled", order.id, `the order asks ${order.total} and has ${received.toFixed(2)}`)]
      : []),
    ...order.transactions
      .filter((booked) => !known.has(booked.reference_id ?? "") && !isOfCancelling(booked, order, facts))
      .map(({ amount }) =>
        finding("falsely_paid", order.id, `${amount} booked, and nothing captured or refunded`)
      ),
  ]
}

/**
 * Core cancels an order and books a refund under the id of the payment, not of the refund. Of another provider's payment
 * that was refunded. Of ours the refund was not made: `judgeOrderOf` asks for its case.
 */
function isOfCancelling(
  { reference, reference_id, amount }: MedusaOrder["transactions"][number],
  order: MedusaOrder,
  { payments }: Facts
): boolean {
  const payment = payments.find(({ id }) => id === reference_id)
  if (payment === undefined || reference !== "refund" || !order.canceled) {
    return false
  }
  const isBookedOnce = order.transactions.filter((one) => one.reference_id === payment.id).length === 1
  const gone = payment.is_crypto ? sum(payment.captures) - sum(payment.refunds) : sum(payment.refunds)
  return isBookedOnce && isSame(-Number(amount), gone)
}

/** Orders that were placed and that nobody has paid, as when another provider's payment was not captured. */
export function countUnpaidOrders({ orders }: Facts): number {
  return orders.filter((order) => isUnpaid(order) && order.cart_id !== null).length
}

/** Orders that no cart leads to: core leaves them when it is killed between order and payment. */
export function countGhostOrders({ orders }: Facts): number {
  return orders.filter(isGhostOrder).length
}

/** Orders that were placed unpaid, and that were neither paid nor cancelled when their time was over. */
export function countOverdueOrders({ orders }: Facts): number {
  return orders.filter(isOverdueOrder).length
}

/** Orders that were cancelled and never had a payment. */
export function countExpiredOrders({ orders }: Facts): number {
  return orders.filter(({ transactions, canceled }) => transactions.length === 0 && canceled).length
}

export function isGhostOrder(order: MedusaOrder): boolean {
  return isUnpaid(order) && order.cart_id === null
}

export function isOverdueOrder(order: MedusaOrder): boolean {
  return isUnpaid(order) && order.isOverdue
}

function isUnpaid({ transactions, canceled }: MedusaOrder): boolean {
  return transactions.length === 0 && !canceled
}

function finding(verdict: Verdict, id: string, why: string): Finding {
  return { verdict, id, why }
}
