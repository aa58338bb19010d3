import fc from "fast-check"
import "../property-seed.spec"
import { decide, type Decision, type DecisionInput, type GatewayReading, type MedusaFacts } from "./decide"
import { READ_FAILURES } from "./read-failure"
import { amountsEqual, isMoreThan } from "./money"

const NOW = new Date("2026-01-10T12:00:00Z")
const RUNS = { numRuns: 5000 }

const amount = fc.constantFrom("0", "0.004", "20.00", "20.01", "20.010000000000001", "40.02")
const currency = fc.constantFrom("usd", "USD", "aed")
const HOUR_MS = 3_600_000
const time = fc.integer({ min: -200, max: 200 }).map((hours) => new Date(NOW.getTime() + hours * HOUR_MS))
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null })

const reading: fc.Arbitrary<GatewayReading> = fc.oneof(
  fc.record({
    outcome: fc.constant("read" as const),
    status: fc.constantFrom("PAID" as const, "UNPAID" as const, "PENDING" as const, "UNKNOWN" as const),
    amount,
    currencySymbol: currency,
  }),
  fc.record({
    outcome: fc.constantFrom(...READ_FAILURES),
    failingSince: time,
  })
)
const medusa: fc.Arbitrary<MedusaFacts> = fc.record({
  session: maybe(fc.record({ amount, currencyCode: currency })),
  payment: maybe(
    fc.record({ captured: fc.boolean(), refundedInFull: fc.boolean(), coversCollection: fc.boolean() })
  ),
  order: maybe(
    fc.record({
      canceled: fc.boolean(),
      booked: fc.boolean(),
      unpaidDifference: fc.oneof(amount, fc.constant("-20.01")),
      linkAmount: amount,
      expiresAt: maybe(time),
    })
  ),
  registeredRefund: amount,
  orderDeleted: fc.boolean(),
  hasCart: fc.boolean(),
  isDeposit: fc.boolean(),
  paidByAnother: fc.boolean(),
  paidAgain: fc.boolean(),
  providerMissing: fc.boolean(),
  isAdoptable: fc.boolean(),
  isCollectionDeleted: fc.boolean(),
})
const inputs: fc.Arbitrary<DecisionInput> = fc.record({
  reading,
  ledger: fc.record({
    amount,
    currencyCode: currency,
    paidAt: maybe(time),
    watchUntil: time,
    isOffered: fc.boolean(),
    isSettled: fc.boolean(),
    attention: maybe(fc.constantFrom("order_underpaid", "order_overpaid", "orphan_paid")),
    isLinkAsked: fc.boolean(),
    isOfOrder: fc.boolean(),
    isReportedPaid: fc.boolean(),
  }),
  medusa,
  now: fc.constant(NOW),
})

const WAITING: Decision["kind"][] = ["wait", "close", "expire", "renew"]

function isPaid({ reading, ledger }: DecisionInput): boolean {
  return reading.outcome === "read" && (reading.status === "PAID" || ledger.paidAt !== null)
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

  it("lets core capture only the money that ledger and session expect, for an order that is neither cancelled nor paid", () => {
    holds(({ reading, ledger, medusa }, { kind }) => {
      if (kind !== "capture") {
        return true
      }
      const { session } = medusa
      return (
        reading.outcome === "read" &&
        session !== null &&
        amountsEqual(reading.amount, ledger.amount) &&
        amountsEqual(reading.amount, session.amount) &&
        reading.currencySymbol.toLowerCase() === ledger.currencyCode.toLowerCase() &&
        medusa.payment?.captured !== true &&
        medusa.order?.canceled !== true &&
        !medusa.paidByAnother &&
        !isMoreThan(medusa.registeredRefund, "0")
      )
    })
  })

  it("never waits for, closes or cancels what was paid: it is captured, settled, or has a case", () => {
    holds((input, { kind }) => !isPaid(input) || !WAITING.includes(kind))
  })

  it("takes a recorded PAID for PAID, whatever the gateway says now", () => {
    holds((input, decision) => {
      if (input.ledger.paidAt === null || input.reading.outcome !== "read") {
        return true
      }
      const stillPaid = decide({ ...input, reading: { ...input.reading, status: "PAID" } })
      return JSON.stringify(decision) === JSON.stringify(stillPaid)
    })
  })

  it("cancels only an unpaid order whose time is over, and that the gateway does not call PAID", () => {
    holds(({ reading, ledger, medusa: { order }, now }, { kind }) => {
      if (kind !== "expire") {
        return true
      }
      const isUnpayable =
        reading.outcome === "read"
          ? reading.status !== "PAID"
          : (reading.outcome === "other_account" && !ledger.isReportedPaid) ||
            (reading.outcome === "unknown_to_gateway" &&
              now.getTime() - reading.failingSince.getTime() >= HOUR_MS)
      return (
        isUnpayable &&
        ledger.paidAt === null &&
        order !== null &&
        !order.canceled &&
        isMoreThan(order.unpaidDifference, "0") &&
        order.expiresAt !== null &&
        order.expiresAt <= now
      )
    })
  })

  it("calls nothing done without an order that belongs to one", () => {
    holds(
      ({ ledger, medusa: { order, hasCart } }, { kind }) =>
        kind !== "done" || order !== null || (!hasCart && !ledger.isOfOrder)
    )
  })

  it("calls nothing done that Medusa has not captured", () => {
    holds(
      ({ medusa: { payment } }, { kind }) =>
        (kind !== "done" && kind !== "confirm") || payment?.captured === true
    )
  })
})
