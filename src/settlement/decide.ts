import type { PaymentStatus } from "../gateway"
import type { AttentionReason } from "./attention"
import { amountsEqual, isMoreThan } from "./money"

const HOUR_MS = 60 * 60 * 1000
const PAYING_GRACE_MS = 24 * HOUR_MS

/** What one read of the gateway gave. Failures carry since when every read has failed the same way. */
export type GatewayReading =
  | { outcome: "read"; status: PaymentStatus; amount: string; currencySymbol: string }
  | { outcome: "refused"; failingSince: Date }
  | { outcome: "unreadable"; failingSince: Date }

/** What our ledger expects of the payment request. Amount in major units with two decimals. */
export interface LedgerFacts {
  amount: string
  currencyCode: string
  /** When a read of the gateway first said PAID; once set, nothing the gateway says later is a downgrade. */
  paidAt: Date | null
  watchUntil: Date
}

/** What Medusa has for the payment request, read from its database. Amounts in major units. */
export interface MedusaFacts {
  /** The payment session the request is bound to, or null once core has deleted it. */
  session: { amount: string; currencyCode: string } | null
  /** The Medusa payment of that session, or of the session that claimed the request. */
  payment: { captured: boolean; refundedInFull: boolean } | null
  /** `expiresAt`: when an order nobody pays is cancelled; null for never. */
  order: {
    canceled: boolean
    booked: boolean
    unpaidDifference: string
    expiresAt: Date | null
  } | null
  /** What was registered as sent back at the gateway. */
  registeredRefund: string
  /** The request belongs to a cart, so an order has to come of it. */
  hasCart: boolean
  /** Another payment has already paid the cart or order. */
  paidByAnother: boolean
}

export type Decision =
  | { kind: "wait" }
  | { kind: "close" }
  /** The order was placed unpaid and its time is over: cancel it, so that its stock is free. */
  | { kind: "expire" }
  | { kind: "capture" }
  | { kind: "confirm" }
  | { kind: "done"; attention?: "order_underpaid" | "duplicate_payment" }
  | { kind: "refunded" }
  | { kind: "attention"; reason: AttentionReason }
  | { kind: "retry" }

export interface DecisionInput {
  reading: GatewayReading
  ledger: LedgerFacts
  medusa: MedusaFacts
  now: Date
}

/**
 * Decides what a payment request becomes. Pure: the table of docs/architecture.md, row by row.
 *
 * A request whose PAID is in the ledger is decided as PAID whatever the gateway says now.
 */
export function decide(input: DecisionInput): Decision {
  const { reading, ledger, medusa } = input
  if (reading.outcome !== "read") {
    return decideWithoutAnswer(reading, input)
  }
  if (reading.status !== "PAID" && ledger.paidAt === null) {
    return decideUnpaid(input)
  }
  if (!isEqual(reading, ledger, medusa)) {
    return { kind: "attention", reason: "amount_mismatch" }
  }
  return decidePaid(medusa, ledger.amount)
}

function decideWithoutAnswer(
  reading: Exclude<GatewayReading, { outcome: "read" }>,
  input: DecisionInput
): Decision {
  const { now } = input
  if (reading.outcome === "refused" && input.ledger.paidAt === null && decideUnpaid(input).kind === "close") {
    // A gateway may forget requests nobody paid; nobody waits for this one either.
    return { kind: "close" }
  }
  const failingForMs = now.getTime() - reading.failingSince.getTime()
  if (reading.outcome === "refused" && failingForMs >= HOUR_MS) {
    return { kind: "attention", reason: "gateway_refuses" }
  }
  if (reading.outcome === "unreadable" && failingForMs >= 24 * HOUR_MS) {
    return { kind: "attention", reason: "gateway_unreadable" }
  }
  return { kind: "retry" }
}

function decideUnpaid({ reading, ledger, medusa, now }: DecisionInput): Decision {
  if (isUnpaidOrder(medusa) && isExpired(reading, medusa.order?.expiresAt ?? null, now)) {
    return { kind: "expire" }
  }
  const someoneWaits = (medusa.session !== null && !medusa.order?.canceled) || isUnpaidOrder(medusa)
  const watchIsOver = now.getTime() >= ledger.watchUntil.getTime()
  return !someoneWaits && watchIsOver ? { kind: "close" } : { kind: "wait" }
}

/** Only what the gateway calls UNPAID expires in time; another word may mean that the payer is paying at this moment. */
function isExpired(reading: GatewayReading, expiresAt: Date | null, now: Date): boolean {
  if (expiresAt === null || reading.outcome !== "read") {
    return false
  }
  const graceMs = reading.status === "UNPAID" ? 0 : PAYING_GRACE_MS
  return now.getTime() >= expiresAt.getTime() + graceMs
}

function isUnpaidOrder({ order, paidByAnother }: MedusaFacts): boolean {
  return order !== null && !order.canceled && !paidByAnother && isMoreThan(order.unpaidDifference, "0")
}

function isEqual(
  reading: Extract<GatewayReading, { outcome: "read" }>,
  ledger: LedgerFacts,
  { session }: MedusaFacts
): boolean {
  const expected = [ledger, ...(session === null ? [] : [session])]
  return expected.every(
    ({ amount, currencyCode }) =>
      amountsEqual(reading.amount, amount) &&
      reading.currencySymbol.toUpperCase() === currencyCode.toUpperCase()
  )
}

function decidePaid(
  { session, payment, order, hasCart, paidByAnother, registeredRefund }: MedusaFacts,
  amount: string
): Decision {
  if (payment?.captured) {
    if (payment.refundedInFull) {
      return { kind: "refunded" }
    }
    return decideCaptured({ order, hasCart, paidByAnother }, isMoreThan(registeredRefund, "0"))
  }
  if (isMoreThan(registeredRefund, "0")) {
    // Money that was sent back, even in part, must not ship an order for the whole.
    return isMoreThan(amount, registeredRefund)
      ? { kind: "attention", reason: "orphan_paid" }
      : { kind: "refunded" }
  }
  if (order?.canceled) {
    return { kind: "attention", reason: "paid_on_canceled" }
  }
  if (paidByAnother) {
    return { kind: "attention", reason: "duplicate_payment" }
  }
  if (session === null) {
    return { kind: "attention", reason: "orphan_paid" }
  }
  return { kind: "capture" }
}

function decideCaptured(
  { order, hasCart, paidByAnother }: Pick<MedusaFacts, "order" | "hasCart" | "paidByAnother">,
  isBeingRefunded: boolean
): Decision {
  if (order === null) {
    if (!hasCart) {
      return { kind: "done" }
    }
    // Once some of it was sent back, nothing is shipped for it by itself any more.
    return { kind: "attention", reason: isBeingRefunded ? "orphan_paid" : "paid_without_order" }
  }
  if (order.canceled) {
    return { kind: "attention", reason: "paid_on_canceled" }
  }
  if (!order.booked) {
    // Core links the order before it is sure of it, and takes it back when a later step fails.
    return { kind: "confirm" }
  }
  if (paidByAnother) {
    // Ours is booked, and another provider's payment covers the order as well: the payer paid twice.
    return { kind: "done", attention: "duplicate_payment" }
  }
  return isMoreThan(order.unpaidDifference, "0")
    ? { kind: "done", attention: "order_underpaid" }
    : { kind: "done" }
}
