import fc from "fast-check"
import "../property-seed.spec"
import { decide, type Decision, type DecisionInput } from "./decide"
import { NOW, OPEN_ROW, UNCAPTURED } from "./example-row.spec"
import type { DecidedFacts, DecidedRow } from "./facts"
import { recordedStatus } from "./gateway-status"
import { amountsEqual, isMoreThan } from "./money"
import { READ_FAILURES } from "./read-failure"

const RUNS = { numRuns: 5000 }

const amount = fc.constantFrom("0", "0.004", "20.00", "20.01", "20.010000000000001", "40.02")
const currency = fc.constantFrom("usd", "USD", "aed")
const HOUR_MS = 3_600_000
const time = fc.integer({ min: -200, max: 200 }).map((hours) => new Date(NOW.getTime() + hours * HOUR_MS))
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null })

const row: fc.Arbitrary<DecidedRow> = fc
  .record({
    amount,
    currency_code: currency,
    created_at: time,
    paid_at: maybe(time),
    gateway_status: fc.constantFrom("PAID", "UNPAID", "PENDING", "EXPIRED", "CONFIRMING", null),
    gateway_amount: maybe(amount),
    gateway_currency_symbol: maybe(currency),
    failure: maybe(fc.constantFrom(...READ_FAILURES)),
    failing_since: maybe(time),
    unread_since: maybe(time),
    state: fc.constantFrom("open", "superseded"),
    order_id: fc.constantFrom("order_1", null),
    settled_at: maybe(time),
    is_reported_paid: fc.boolean(),
    attention_reason: maybe(fc.constantFrom("order_underpaid", "order_overpaid", "orphan_paid")),
  })
  .map((columns) => ({ ...OPEN_ROW, ...columns }))
const session = fc.oneof(
  fc.record({ session_amount: amount, session_currency_code: currency }),
  fc.constant({ session_amount: null, session_currency_code: null })
)
const payment = fc.oneof(
  fc.record({ payment_captured: amount, payment_refunded: amount }),
  fc.constant({ payment_captured: "0", payment_refunded: "0" })
)
const order = fc.oneof(
  fc.record({
    order_id: fc.constant("order_1"),
    order_canceled: fc.boolean(),
    order_booked: fc.boolean(),
    order_unpaid: fc.oneof(amount, fc.constant("-20.01")),
    order_expires_at: maybe(time),
  }),
  fc.constant({ order_id: null, order_canceled: false, order_booked: false, order_unpaid: null })
)
const rest = fc.record({
  collection_amount: maybe(amount),
  collection_captured: amount,
  cart_id: fc.constantFrom("cart_1", null),
  registered_refund: amount,
  order_deleted: fc.boolean(),
  paid_by_another: fc.boolean(),
  is_paid_again: fc.boolean(),
  provider_missing: fc.boolean(),
  adopting_collection_id: fc.constantFrom("paycol_1", null),
})
const facts: fc.Arbitrary<DecidedFacts> = fc
  .tuple(session, payment, order, rest)
  .map((parts) => Object.assign({}, UNCAPTURED, ...parts) as DecidedFacts)
const inputs: fc.Arbitrary<DecisionInput> = fc.record({
  row,
  facts,
})

const WAITING: Decision["kind"][] = ["wait", "close", "expire"]

function isPaid({ row }: DecisionInput): boolean {
  return row.paid_at !== null
}

function isCaptured({ facts }: DecisionInput): boolean {
  return isMoreThan(facts.payment_captured, "0")
}

function holds(rule: (input: DecisionInput, decision: Decision) => boolean): void {
  fc.assert(
    fc.property(inputs, (input) => rule(input, decide(input))),
    RUNS
  )
}

describe("decide, whatever it is given", () => {
  it("lets core capture only what the gateway said is PAID", () => {
    holds((input, { kind }) => (kind !== "capture" && kind !== "adopt") || isPaid(input))
  })

  it("lets core capture only the money that row and session expect, for an order that is neither cancelled nor paid", () => {
    holds((input, { kind }) => {
      if (kind !== "capture") {
        return true
      }
      const { row, facts } = input
      const received = row.gateway_amount ?? row.amount
      const currency = row.gateway_currency_symbol ?? row.currency_code
      return (
        facts.session_amount !== null &&
        amountsEqual(received, row.amount) &&
        amountsEqual(received, facts.session_amount) &&
        currency.toLowerCase() === row.currency_code.toLowerCase() &&
        currency.toLowerCase() === facts.session_currency_code?.toLowerCase() &&
        !isCaptured(input) &&
        !facts.order_canceled &&
        !facts.paid_by_another &&
        !isMoreThan(facts.registered_refund, "0")
      )
    })
  })

  it("never waits for, closes or cancels what was paid: it is captured, settled, or has a case", () => {
    holds((input, { kind }) => !isPaid(input) || !WAITING.includes(kind))
  })

  it("takes a recorded PAID for PAID, whatever the gateway says now", () => {
    holds((input, decision) => {
      if (!isPaid(input)) {
        return true
      }
      const stillPaid = decide({ ...input, row: { ...input.row, gateway_status: "PAID" } })
      return JSON.stringify(decision) === JSON.stringify(stillPaid)
    })
  })

  it("cancels only an unpaid order whose time is over, and that the gateway does not call PAID", () => {
    holds(({ row, facts }, { kind }) => {
      if (kind !== "expire") {
        return true
      }
      const { failure } = row
      const failingForMs = NOW.getTime() - (row.failing_since ?? NOW).getTime()
      const isUnpayable =
        failure === null ||
        (failure === "former_address" && row.state === "closed" && !row.is_reported_paid) ||
        (failure === "unknown_to_gateway" && failingForMs >= HOUR_MS && !row.is_reported_paid)
      const expiresAt = facts.order_expires_at
      return (
        isUnpayable &&
        recordedStatus(row) !== "PAID" &&
        facts.order_id !== null &&
        !facts.order_canceled &&
        isMoreThan(facts.order_unpaid ?? "0", "0") &&
        expiresAt !== null &&
        expiresAt <= NOW
      )
    })
  })

  it("calls nothing done without an order that belongs to one", () => {
    holds(
      ({ row, facts }, { kind }) =>
        kind !== "done" || facts.order_id !== null || (facts.cart_id === null && row.order_id === null)
    )
  })

  it("calls nothing done that Medusa has not captured", () => {
    holds((input, { kind }) => (kind !== "done" && kind !== "confirm") || isCaptured(input))
  })
})
