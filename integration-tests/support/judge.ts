import type { GatewayPayment } from "./gateway-control"
import type { Facts, LedgerRow, MedusaOrder } from "./facts"
import { isSame, isSurelyMore, sum } from "./money"

export type Verdict =
  | "unpaid"
  | "captured_once"
  | "sent_back"
  | "attention"
  | "lost"
  | "doubled"
  | "falsely_paid"
  | "untrue"

/** What was found of one payment request or order. */
export interface Finding {
  verdict: Verdict
  /** The gateway's id of the payment request, or Medusa's of the order. */
  id: string
  /** The attention reason, or what is wrong. */
  why: string
}

/**
 * Holds the ledger and Medusa against what only the gateway and the merchant know. Whether the stored rows agree among
 * themselves is for the self-audit to say.
 */
export const judge = (facts: Facts): Finding[] => [
  ...facts.gateway.map((payment) => judgeRequest(payment, facts)),
  ...facts.ledger.flatMap((row) => judgeCase(row, facts)),
  ...facts.orders.flatMap((order) => judgeOrder(order, facts)),
]

function judgeRequest(request: GatewayPayment, facts: Facts): Finding {
  const id = request.payment_request_id
  const rows = facts.ledger.filter((row) => row.payment_request_id === id)
  if (request.paid_at === null) {
    return rows.some(({ paid_at, captured }) => paid_at !== null || isSurelyMore(captured, 0))
      ? finding("falsely_paid", id, "UNPAID at the gateway")
      : finding("unpaid", id, "")
  }
  const [row, ...others] = rows
  if (row === undefined || others.length > 0 || row.paid_at === null) {
    const recorded = rows.filter(({ paid_at }) => paid_at).length
    return finding("lost", id, `PAID, and recorded by ${recorded} ledger rows`)
  }
  return findRefundFault(id, facts) ?? judgePayment(request, row, facts)
}

/** Every cent is on a living order, was sent back, or has a case. */
function judgePayment({ amount, currency_symbol }: GatewayPayment, row: LedgerRow, facts: Facts): Finding {
  const id = row.payment_request_id ?? ""
  const back = sum(facts.refunds.filter(({ paymentRequestId }) => paymentRequestId === id))
  const left = Number(amount) - back
  const order = facts.orders.find((one) => one.id === row.orderId)
  if (isSurelyMore(row.captured, 0) && !isSame(row.captured, amount)) {
    return finding("falsely_paid", id, `captured ${row.captured} of ${amount}`)
  }
  const other = row.currencies.filter((currency) => currency !== currency_symbol.toLowerCase())
  if (other.length > 0) {
    return finding("falsely_paid", id, `${currency_symbol} was captured as ${other.join(" and ")}`)
  }
  if (isSurelyMore(row.onOrder, left)) {
    return finding("doubled", id, `${left.toFixed(2)} is left, and ${row.onOrder} is on an order`)
  }
  if (isSurelyMore(left, row.onOrder) && row.reason === null) {
    const why = `${left.toFixed(2)} is left, ${row.onOrder} is on an order, and no case says why`
    return finding("lost", id, why)
  }
  const lastBack = Math.max(
    ...facts.refunds.flatMap((one) => (one.paymentRequestId === id ? one.registeredAt.getTime() : []))
  )
  const isCaptured = isSurelyMore(row.captured, 0) && order !== undefined
  if (isCaptured && !isSurelyMore(left, 0) && order.created_at.getTime() > lastBack) {
    return finding("falsely_paid", id, `order ${order.id} was placed after all of it was sent back`)
  }
  const isExact = facts.done.exact.has(id) && row.isOpen && back === 0 && isSame(row.captured, 0)
  if (isExact && isAskedFor(amount, order)) {
    const why = `${order?.id} asks for exactly that, and it is not booked (case: ${row.reason})`
    return finding("lost", id, why)
  }
  const notes = [
    ...(row.reason === null ? [] : [row.reason]),
    ...(back > 0 ? [isSurelyMore(left, 0) ? "refunded in part" : "refunded"] : []),
    ...(order?.isCanceled ? ["cancelled"] : []),
  ].join(" and ")
  const verdict =
    isCaptured && (isSurelyMore(row.onOrder, 0) || !isSurelyMore(left, 0))
      ? "captured_once"
      : isSurelyMore(left, 0)
        ? "attention"
        : "sent_back"
  return finding(verdict, id, notes)
}

/** With another provider's payment, captured or not, the merchant decides which one pays. */
const isAskedFor = (amount: string, order: MedusaOrder | undefined): boolean =>
  order?.isLive === true &&
  !order.isPaidOtherwise &&
  order.asked.some((one) => isSame(one, amount)) &&
  isSame(order.owed, amount)

/** Each refund that the merchant registered is in the ledger once, and no other one. */
function findRefundFault(id: string, { refunds, done }: Facts): Finding | undefined {
  const ledger = refunds.filter(({ paymentRequestId }) => paymentRequestId === id)
  const made = done.registered.filter(({ paymentRequestId }) => paymentRequestId === id)
  for (const { reference, amount } of made) {
    const known = ledger.filter((one) => one.reference === reference && isSame(one.amount, amount))
    if (known.length !== 1 || known[0]?.state !== "applied") {
      const states = known.map(({ state }) => state).join(", ") || "nothing"
      const why = `the refund ${reference} was registered, and the ledger has ${states}`
      return finding(known.length > 1 ? "doubled" : "lost", id, why)
    }
  }
  return ledger.length > made.length
    ? finding("doubled", id, `the ledger has refunds of ${sum(ledger).toFixed(2)} nobody made`)
    : undefined
}

/** What an open case says is so. */
function judgeCase(row: LedgerRow, { orders }: Facts): Finding[] {
  const { payment_request_id, reason, isOpen, told, orderId, onOrder } = row
  const order = orders.find(({ id }) => id === orderId)
  const owed = order?.isLive ? Number(order.owed) : 0
  const isBooked = isSurelyMore(onOrder, 0)
  const isUntrue = {
    order_underpaid: !isSurelyMore(owed, 0) || !isSame(told ?? 0, owed),
    order_overpaid: !isSurelyMore(0, owed) || !isSame(told ?? 0, -owed),
    paid_on_canceled: order?.isLive === true,
    orphan_paid: isBooked && !isSurelyMore(0, owed),
    duplicate_payment: isBooked && !isSurelyMore(0, owed),
    paid_without_order: isBooked,
  }[reason ?? ""]
  const why = `the case ${reason} of ${told} is open; ${owed} is owed, ${onOrder} booked`
  return isOpen && isUntrue ? [finding("untrue", payment_request_id ?? "", why)] : []
}

/** Cases that tell a merchant that an order has more than it wants. */
const TOO_MUCH = ["order_overpaid", "duplicate_payment"]

function judgeOrder(order: MedusaOrder, { ledger, refunds, done }: Facts): Finding[] {
  const rows = ledger.filter(({ orderId }) => orderId === order.id)
  const isOurs = rows.some(({ onOrder }) => isSurelyMore(onOrder, 0))
  const isCheapened = done.cheapened.has(order.id)
  const captured = rows.filter((row) => isSurelyMore(row.captured, 0)).map((row) => row.payment_request_id)
  const back = sum(refunds.filter(({ paymentRequestId }) => captured.includes(paymentRequestId)))
  const hasTooMuch = order.isLive && isOurs && isSurelyMore(0, order.owed)
  return [
    ...(hasTooMuch && !isCheapened && !rows.some(({ reason }) => TOO_MUCH.includes(reason ?? ""))
      ? [finding("untrue", order.id, `it has ${order.owed} too much, and no case says so`)]
      : []),
    // Core credits what it sends back of another provider's payment, too.
    ...(!order.isPaidOtherwise && isSurelyMore(order.credited, back)
      ? [finding("doubled", order.id, `sent back ${back.toFixed(2)}, and credited ${order.credited}`)]
      : []),
    ...(order.isOverdue && isSurelyMore(order.owed, 0)
      ? [finding("lost", order.id, "its time is over, and it was neither paid nor cancelled")]
      : []),
  ]
}

const FATAL: Verdict[] = ["lost", "doubled", "falsely_paid", "untrue"]

/** What must not be. */
export const isFatal = ({ verdict }: Finding): boolean => FATAL.includes(verdict)

const finding = (verdict: Verdict, id: string, why: string): Finding => ({ verdict, id, why })
