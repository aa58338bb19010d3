import type { PaymentStatus } from "../gateway"
import type { AttentionReason } from "./attention"
import { amountsEqual, isMoreThan } from "./money"
import { PAYING_GRACE_MS } from "./order-expiry"
import type { ReadFailure } from "./read-failure"

const HOUR_MS = 60 * 60 * 1000
/** How long a gateway may fail before a case is opened. */
const REFUSED_PATIENCE_MS = HOUR_MS
const UNREADABLE_PATIENCE_MS = 24 * HOUR_MS

interface GatewayAnswer {
  outcome: "read"
  status: PaymentStatus
  amount: string
  currencySymbol: string
}

/** One read of the gateway. `failingSince`: every read since then failed in this way; `unreadSince`: in any way. */
export type GatewayReading = GatewayAnswer | { outcome: ReadFailure; failingSince: Date; unreadSince?: Date }

/** What our row expects of the payment request. Amount in major units with two decimals. */
export interface LedgerFacts {
  amount: string
  currencyCode: string
  /** When a read of the gateway first said PAID. Once set, nothing the gateway says later is a downgrade. */
  paidAt: Date | null
  watchUntil: Date
  isOffered: boolean
  /** An earlier settle found nothing left to do. */
  isSettled: boolean
  /** The row's case, open or closed by an admin user. */
  attention: string | null
  /** A shopper waits for a link of what the order owes now. */
  isLinkAsked: boolean
  isOfOrder: boolean
  /** A genuine notification has said PAID. The gateway's reads may be late. */
  isReportedPaid: boolean
}

/** What Medusa has for the payment request, read from its database. Amounts in major units. */
export interface MedusaFacts {
  /** The payment session that the request is bound to. Null once core has deleted it. */
  session: { amount: string; currencyCode: string } | null
  /** The payment of that session, or of the paid session. `coversCollection`: the capture pays the whole collection. */
  payment: { captured: boolean; refundedInFull: boolean; coversCollection: boolean } | null
  /**
   * `unpaidDifference`: what it owes, as core calls it; below zero when too much was paid. `linkAmount`: what a link
   * may ask for now. `expiresAt`: when an order nobody pays is cancelled; null for never.
   */
  order: {
    canceled: boolean
    booked: boolean
    unpaidDifference: string
    linkAmount: string
    expiresAt: Date | null
  } | null
  /** Sum of the refunds that were registered. */
  registeredRefund: string
  /** The order that the request was made for, or that was placed for it, was deleted. */
  orderDeleted: boolean
  /** The request belongs to a cart, so an order has to come of it. */
  hasCart: boolean
  /** Its collection asks for a part of what the order owes, on purpose. */
  isDeposit: boolean
  paidByAnother: boolean
  /** Another payment was received for the order after this one was settled, and this payment has to judge it. */
  paidAgain: boolean
  /** medusa-config does not register the provider: its gateway cannot be read, and core cannot capture. */
  providerMissing: boolean
  /** An unpaid collection of its cart or order asks for exactly this, or its own was deleted and the sum is owed. */
  isAdoptable: boolean
  /** Its payment collection was deleted from its order. */
  isCollectionDeleted: boolean
}

export type Decision =
  | { kind: "wait" }
  | { kind: "close" }
  /** The order was paid another way, or the link's collection was deleted: not offered any more, and still checked. */
  | { kind: "withdraw" }
  /** The order was placed unpaid and its time is over: cancel it, so that its stock is free. */
  | { kind: "expire" }
  /** The session of the money is gone, and its cart or order waits for that amount: bind it to a new session. */
  | { kind: "adopt" }
  /** The order owes less than the link asks for, or a shopper asks for another amount: replace or withdraw the link. */
  | { kind: "renew" }
  | { kind: "capture" }
  | { kind: "confirm" }
  | { kind: "done"; attention?: "order_underpaid" | "order_overpaid" | "duplicate_payment" }
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
 * Decides what a payment request becomes. Pure. The table in docs/architecture.md lists the same rules, and
 * `src/decision-table.unit.spec.ts` compares them. A recorded PAID counts as PAID whatever the gateway says now.
 */
export function decide(input: DecisionInput): Decision {
  const { reading, ledger, medusa } = input
  if (reading.outcome !== "read") {
    return decideWithoutAnswer(reading, input)
  }
  if (reading.status !== "PAID" && ledger.paidAt === null) {
    return decideUnpaid(reading, input)
  }
  if (!isEqual(reading, ledger, medusa)) {
    return { kind: "attention", reason: "amount_mismatch" }
  }
  return decidePaid(medusa, ledger)
}

function decideWithoutAnswer(
  reading: Exclude<GatewayReading, GatewayAnswer>,
  input: DecisionInput
): Decision {
  const { outcome, failingSince, unreadSince = failingSince } = reading
  const sinceMs = (since: Date): number => input.now.getTime() - since.getTime()
  const isForAnHour = sinceMs(failingSince) >= REFUSED_PATIENCE_MS
  if (outcome === "provider_missing") {
    // The gateway was not asked. During a deploy, one instance may know the provider and another may not.
    return isForAnHour ? { kind: "attention", reason: "provider_missing" } : { kind: "retry" }
  }
  if (outcome === "former_address" || outcome === "other_account") {
    return decideOfFormerAddress(outcome, isForAnHour, input)
  }
  const isUnknown = outcome === "unknown_to_gateway"
  const isRefused = outcome === "refused" || isUnknown
  const isUnpaid = input.ledger.paidAt === null
  if (isRefused && isUnpaid && isForgotten(input)) {
    // A gateway may forget requests that nobody paid; no payment is expected for this one either.
    return { kind: "close" }
  }
  const isGone = isUnknown && isUnpaid && isForAnHour
  const order = unpaidOrder(input.medusa)
  if (isGone && order !== null && isOver(order.expiresAt, input.now)) {
    // Nobody can pay the link, so the order's time ends as with an unpaid link.
    return { kind: "expire" }
  }
  if (isGone && input.medusa.order?.canceled === true) {
    return { kind: "close" }
  }
  if (isUnknown && isUnpaid && isOutdatedAndAsked(input)) {
    // Nobody can pay the old link, so there is nothing to wait for.
    return { kind: "renew" }
  }
  if (isRefused && isForAnHour) {
    return { kind: "attention", reason: "gateway_refuses" }
  }
  // Failures of changing kinds together mean a gateway that cannot be read, however short each kind lasts.
  const isUnread = Math.max(sinceMs(unreadSince), sinceMs(failingSince)) >= UNREADABLE_PATIENCE_MS
  return isUnread ? { kind: "attention", reason: "gateway_unreadable" } : { kind: "retry" }
}

/**
 * A former address is never read. Once the merchant has said that it was another account, its links are closed, and an
 * unpaid order waits for the end of its time. Only a genuine notification that reports PAID opens a case.
 */
function decideOfFormerAddress(
  outcome: "former_address" | "other_account",
  isForAnHour: boolean,
  { ledger, medusa, now }: DecisionInput
): Decision {
  if (ledger.isReportedPaid || ledger.paidAt !== null) {
    return isForAnHour ? { kind: "attention", reason: "gateway_unreadable" } : { kind: "retry" }
  }
  if (outcome === "former_address") {
    return { kind: "retry" }
  }
  const expiresAt = unpaidOrder(medusa)?.expiresAt ?? null
  if (expiresAt === null) {
    return { kind: "close" }
  }
  return isOver(expiresAt, now) ? { kind: "expire" } : { kind: "withdraw" }
}

function decideUnpaid(reading: GatewayAnswer, input: DecisionInput): Decision {
  const order = unpaidOrder(input.medusa)
  if (order !== null && isExpired(reading, order.expiresAt, input)) {
    return { kind: "expire" }
  }
  if (isForgotten(input)) {
    return { kind: "close" }
  }
  if (isPaidAnotherWay(input.medusa) || isCalledOff(input.medusa)) {
    return { kind: "withdraw" }
  }
  const isOutdated = asksTooMuch(input) || isOutdatedAndAsked(input)
  // Let a payment that has begun end.
  return reading.status !== "PENDING" && isOutdated ? { kind: "renew" } : { kind: "wait" }
}

function asksTooMuch(input: DecisionInput): boolean {
  const link = offeredLink(input)
  return link !== null && isMoreThan(link.asks, link.owed)
}

/** Such a link is replaced only on request: its money is owed, and a payment on a withdrawn link would be an orphan. */
function isOutdatedAndAsked(input: DecisionInput): boolean {
  const link = offeredLink(input)
  return link !== null && input.ledger.isLinkAsked && !amountsEqual(link.asks, link.owed)
}

/** What the link of an order asks for, and what it may ask for now; null when no link is offered. */
function offeredLink({ ledger, medusa: { session, order } }: DecisionInput): {
  asks: string
  owed: string
} | null {
  const isPayable = ledger.isOffered && session !== null && order !== null && !order.canceled
  return isPayable ? { asks: session.amount, owed: order.linkAmount } : null
}

/** Only UNPAID expires. After any other word, or a notification of PAID, the payer may be paying or have paid. */
function isExpired(
  { status }: GatewayAnswer,
  expiresAt: Date | null,
  { ledger, now }: DecisionInput
): boolean {
  return isOver(expiresAt, now, status === "UNPAID" && !ledger.isReportedPaid ? 0 : PAYING_GRACE_MS)
}

function isOver(expiresAt: Date | null, now: Date, graceMs = 0): boolean {
  return expiresAt !== null && now.getTime() >= expiresAt.getTime() + graceMs
}

/** Nobody expects a payment for the request, and the time in which most payers pay is over. */
function isForgotten({ ledger, medusa, now }: DecisionInput): boolean {
  const isEnded = medusa.order?.canceled === true || isPaidAnotherWay(medusa) || isCalledOff(medusa)
  const someoneWaits = !isEnded && (medusa.session !== null || unpaidOrder(medusa) !== null)
  return !someoneWaits && now.getTime() >= ledger.watchUntil.getTime()
}

function unpaidOrder({ order, paidByAnother }: MedusaFacts): MedusaFacts["order"] {
  const isUnpaid =
    order !== null && !order.canceled && !paidByAnother && isMoreThan(order.unpaidDifference, "0")
  return isUnpaid ? order : null
}

function isPaidAnotherWay({ order, paidByAnother }: MedusaFacts): boolean {
  return order !== null && !order.canceled && paidByAnother
}

/** The merchant has deleted what the link asks for. The links of an order with a cart still watch its time. */
function isCalledOff({ order, hasCart, isCollectionDeleted }: MedusaFacts): boolean {
  return order !== null && !hasCart && isCollectionDeleted
}

function isEqual(reading: GatewayAnswer, ledger: LedgerFacts, { session }: MedusaFacts): boolean {
  const expected = [ledger, ...(session === null ? [] : [session])]
  return expected.every(
    ({ amount, currencyCode }) =>
      amountsEqual(reading.amount, amount) &&
      reading.currencySymbol.toUpperCase() === currencyCode.toUpperCase()
  )
}

function decidePaid(medusa: MedusaFacts, ledger: LedgerFacts): Decision {
  const { session, payment, order, paidByAnother, registeredRefund, isAdoptable } = medusa
  const isOrderGone = order?.canceled === true || isDeleted(medusa)
  if (payment?.captured) {
    return payment.refundedInFull
      ? { kind: "refunded" }
      : decideCaptured(medusa, payment.coversCollection, ledger)
  }
  if (isMoreThan(registeredRefund, "0")) {
    // After a refund, even a partial one, an order for the whole amount must not be shipped.
    return isMoreThan(ledger.amount, registeredRefund)
      ? { kind: "attention", reason: isDeleted(medusa) ? "paid_on_canceled" : "orphan_paid" }
      : { kind: "refunded" }
  }
  if (isOrderGone) {
    return { kind: "attention", reason: "paid_on_canceled" }
  }
  if (paidByAnother) {
    return { kind: "attention", reason: "duplicate_payment" }
  }
  if (session === null) {
    return isAdoptable ? { kind: "adopt" } : { kind: "attention", reason: "orphan_paid" }
  }
  return medusa.providerMissing ? { kind: "attention", reason: "provider_missing" } : { kind: "capture" }
}

function isDeleted({ order, orderDeleted }: MedusaFacts): boolean {
  return order === null && orderDeleted
}

function decideCaptured(medusa: MedusaFacts, coversCollection: boolean, ledger: LedgerFacts): Decision {
  const { order, hasCart, isDeposit, paidByAnother, paidAgain, registeredRefund } = medusa
  if (isDeleted(medusa)) {
    return { kind: "attention", reason: "paid_on_canceled" }
  }
  if (order === null) {
    if (!hasCart && !ledger.isOfOrder) {
      return { kind: "done" }
    }
    // After a partial refund, nothing is shipped automatically.
    const isBeingRefunded = isMoreThan(registeredRefund, "0")
    return { kind: "attention", reason: isBeingRefunded ? "orphan_paid" : "paid_without_order" }
  }
  if (order.canceled) {
    return { kind: "attention", reason: "paid_on_canceled" }
  }
  if (!order.booked) {
    // Core links the order before it is final, and takes the order back when a later step fails.
    return { kind: "confirm" }
  }
  const isJudged = ledger.isSettled && !paidAgain
  if (paidByAnother && (!isJudged || ledger.attention === "duplicate_payment")) {
    // Our capture is booked, and another provider's payment covers the order as well: the payer paid twice.
    return { kind: "done", attention: "duplicate_payment" }
  }
  const isWhole = !coversCollection || (!isDeposit && !ledger.isSettled)
  const attention = wrongSum(order.unpaidDifference, ledger.attention, { isWhole, isJudged })
  return attention === undefined ? { kind: "done" } : { kind: "done", attention }
}

/**
 * Whether the capture was too little or too much for its order. Too much is judged when the capture is settled, or when
 * another payment is received later. An order that shrinks later is no case: the merchant changed it, and core shows
 * what to refund. An open case stays until the order owes nothing, or until no surplus is left.
 *
 * @param isWhole it was to pay all that the order owed, or more than was captured. A deposit that covers its own
 *   collection is no case.
 */
function wrongSum(
  unpaidDifference: string,
  attention: string | null,
  { isWhole, isJudged }: { isWhole: boolean; isJudged: boolean }
): "order_underpaid" | "order_overpaid" | undefined {
  if (isMoreThan(unpaidDifference, "0")) {
    return isWhole || attention === "order_underpaid" ? "order_underpaid" : undefined
  }
  const isTooMuch = isMoreThan("0", unpaidDifference)
  return isTooMuch && (!isJudged || attention === "order_overpaid") ? "order_overpaid" : undefined
}
