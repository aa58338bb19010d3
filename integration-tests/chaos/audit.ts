import type { GatewayPayment } from "../support/gateway-control"
import type { Facts, LedgerRow, MedusaOrder, MedusaPayment } from "./audit-facts"

export type Verdict = "unpaid" | "captured_once" | "attention" | "lost" | "doubled" | "falsely_paid"

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
        ({ payment_request_id, captures }) => captures.length > 0 && !known.has(payment_request_id ?? "")
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
  if (payment === undefined) {
    return attention === null
      ? finding("lost", id, "neither captured nor on the attention list")
      : finding("attention", id, attention)
  }
  if (further.length > 0) {
    return finding("doubled", id, `captured by ${captured.length} payments`)
  }
  return judgeCapture({ request, row, payment, attention }, facts)
}

interface Captured {
  request: GatewayPayment
  row: LedgerRow
  payment: MedusaPayment
  attention: string | null
}

function judgeCapture({ request, row, payment, attention }: Captured, facts: Facts): Finding {
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
  if (payment.canceled_at !== null || payment.refunds > 0) {
    return finding("lost", id, "captured, then cancelled or refunded")
  }
  const orders = facts.orders.filter((order) => order.cart_id === row.cart_id)
  const [order, ...furtherOrders] = orders
  if (order === undefined) {
    return attention === null
      ? finding("lost", id, "captured, and there is neither an order nor an attention")
      : finding("attention", id, attention)
  }
  if (furtherOrders.length > 0) {
    return finding("doubled", id, `${orders.length} orders of one cart`)
  }
  const booked = order.transactions.filter(({ reference_id }) => reference_id === capture.id)
  if (booked.length !== 1 || !isSame(booked[0]?.amount ?? "", capture.amount)) {
    return finding(
      booked.length > 1 ? "doubled" : "lost",
      id,
      `captured, and booked on order ${order.id} ${booked.length} times`
    )
  }
  return row.settled_at === null
    ? finding("lost", id, "captured and ordered, and the ledger never settled it")
    : finding("captured_once", id, attention ?? "")
}

/** An order never holds more money than it asks for, and none that the gateway did not take. */
function judgeOrder(order: MedusaOrder, { payments }: Facts): Finding[] {
  const captures = new Set(payments.flatMap((payment) => payment.captures.map(({ id }) => id)))
  const received = order.transactions.reduce((sum, { amount }) => sum + Number(amount), 0)
  return [
    ...(received - Number(order.total) > 0.005
      ? [finding("doubled", order.id, `the order asks ${order.total} and has ${received.toFixed(2)}`)]
      : []),
    ...order.transactions
      .filter(({ reference_id }) => !captures.has(reference_id ?? ""))
      .map(({ amount }) => finding("falsely_paid", order.id, `${amount} booked, and nothing captured`)),
  ]
}

/** Orders of carts that nobody paid: core leaves them when it is killed between order and payment. */
export function countUnpaidOrders({ orders }: Facts): number {
  return orders.filter(({ transactions, canceled }) => transactions.length === 0 && !canceled).length
}

function finding(verdict: Verdict, id: string, why: string): Finding {
  return { verdict, id, why }
}

function isSame(one: string, other: string): boolean {
  return Math.abs(Number(one) - Number(other)) < 0.005
}
