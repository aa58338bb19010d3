import { nothingDone, type Facts } from "./facts"
import { judge, type Verdict } from "./judge"

/** One 20.01 USD checkout, paid and booked as it should be. */
function settled(): Facts {
  return {
    gateway: [
      {
        payment_request_id: "request",
        currency_symbol: "USD",
        amount: "20.01000000000000",
        note: null,
        paid_at: "2026-01-01T00:00:00Z",
        hidden_reads: 0,
      },
    ],
    ledger: [
      {
        id: "cpreq",
        payment_request_id: "request",
        session_id: "session",
        paid_at: new Date(),
        isOnlyReported: false,
        reason: null,
        isOpen: true,
        told: null,
        orderId: "order",
        captured: "20.01",
        currencies: ["usd"],
        onOrder: "20.01",
      },
    ],
    orders: [
      {
        id: "order",
        cart_id: "cart",
        created_at: new Date("2026-01-01T00:00:10Z"),
        isLive: true,
        isCanceled: false,
        owed: "0",
        booked: "20.01",
        asked: [],
        currency: "usd",
        credited: "0",
        hasOpenChange: false,
        isPaidOtherwise: false,
        isOverdue: false,
      },
    ],
    refunds: [],
    done: nothingDone(),
  }
}

/** The same, sent back in full and booked everywhere. */
function refunded(): Facts {
  const facts = settled()
  const made = { paymentRequestId: "request", amount: "20.01", reference: "0xabc" }
  facts.done.registered.push(made)
  facts.refunds.push({ ...made, state: "applied", registeredAt: new Date("2026-01-01T00:01:00Z") })
  first(facts.ledger).onOrder = "0"
  first(facts.orders).credited = "20.01"
  return facts
}

/** The test of one way in which these facts become wrong. */
function spoiling(start: () => Facts) {
  return (_: string, verdict: Verdict, spoil: (facts: Facts) => void): void => {
    const facts = start()
    spoil(facts)
    expect(verdicts(facts)).toContain(verdict)
  }
}

const first = <T>([one]: T[]): T => one as T
const notCaptured = { captured: "0", onOrder: "0", orderId: null }

describe("the judge", () => {
  it("counts a booked payment as captured once", () => {
    expect(verdicts(settled())).toEqual(["captured_once"])
  })

  it("counts an unpaid request as unpaid", () => {
    const facts = { ...settled(), orders: [] }
    first(facts.gateway).paid_at = null
    Object.assign(first(facts.ledger), { ...notCaptured, paid_at: null })
    expect(verdicts(facts)).toEqual(["unpaid"])
  })

  it("counts a payment without a capture that is in the attention list as attention", () => {
    const facts = { ...settled(), orders: [] }
    Object.assign(first(facts.ledger), { ...notCaptured, reason: "orphan_paid" })
    expect(verdicts(facts)).toEqual(["attention"])
  })

  it("counts a refunded payment as captured once, and one that was never ordered as sent back", () => {
    expect(judge(refunded())).toEqual([{ verdict: "captured_once", id: "request", why: "refunded" }])
    const facts = { ...refunded(), orders: [] }
    Object.assign(first(facts.ledger), notCaptured)
    expect(verdicts(facts)).toEqual(["sent_back"])
  })

  it("finds money lost whose order asks for exactly that, unless another provider's payment is to pay it", () => {
    const facts = settled()
    Object.assign(first(facts.ledger), { captured: "0", onOrder: "0", reason: "orphan_paid" })
    const order = Object.assign(first(facts.orders), { owed: "20.01" })
    facts.done.exact.add("request")
    expect(verdicts(facts)).toEqual(["attention"])
    order.asked = ["5", "20.01"]
    expect(verdicts(facts)).toContain("lost")
    order.isPaidOtherwise = true
    expect(verdicts(facts)).not.toContain("lost")
  })

  it("counts the payment of a cancelled order as attention, and finds it lost without a case", () => {
    const facts = settled()
    Object.assign(first(facts.orders), { isLive: false, isCanceled: true })
    first(facts.ledger).onOrder = "0"
    expect(verdicts(facts)).toEqual(["lost"])
    first(facts.ledger).reason = "paid_on_canceled"
    expect(verdicts(facts)).toEqual(["attention"])
  })

  it.each<[string, Verdict, (facts: Facts) => void]>([
    ["without a ledger row", "lost", (facts) => facts.ledger.pop()],
    ["with two ledger rows", "lost", (facts) => facts.ledger.push(first(facts.ledger))],
    ["that the ledger does not know to be PAID", "lost", (facts) => (first(facts.ledger).paid_at = null)],
    [
      "neither captured nor on the attention list",
      "lost",
      (facts) => Object.assign(first(facts.ledger), notCaptured),
    ],
    ["captured and not booked on the order", "lost", (facts) => (first(facts.ledger).onOrder = "0")],
    [
      "of exactly what was asked for that is only a case",
      "lost",
      (facts) => {
        facts.done.exact = new Set(["request"])
        Object.assign(first(facts.ledger), { captured: "0", onOrder: "0", reason: "orphan_paid" })
        Object.assign(first(facts.orders), { owed: "20.01", asked: ["20.01"] })
      },
    ],
    ["booked twice", "doubled", (facts) => (first(facts.ledger).onOrder = "40.02")],
    ["UNPAID at the gateway", "falsely_paid", (facts) => (first(facts.gateway).paid_at = null)],
    ["captured for another amount", "falsely_paid", (facts) => (first(facts.ledger).captured = "40.02")],
    ["captured in another currency", "falsely_paid", (facts) => first(facts.ledger).currencies.push("aed")],
    [
      "with a case that says too little was paid, and nothing is owed",
      "untrue",
      (facts) => (first(facts.ledger).reason = "order_underpaid"),
    ],
    [
      "with a case that says the order is cancelled, and it is not",
      "untrue",
      (facts) => (first(facts.ledger).reason = "paid_on_canceled"),
    ],
    [
      "with a case that tells another sum than is owed",
      "untrue",
      (facts) => {
        first(facts.orders).owed = "5"
        Object.assign(first(facts.ledger), { reason: "order_underpaid", told: "4" })
      },
    ],
    ["of an order that has too much without a case", "untrue", (facts) => (first(facts.orders).owed = "-5")],
    ["of an order that is overdue", "lost", (facts) => overdue(first(facts.orders))],
  ])("finds a payment %s: %s", spoiling(settled))

  it("asks of a closed case no more whether it is true", () => {
    const facts = settled()
    Object.assign(first(facts.ledger), { reason: "paid_on_canceled", isOpen: false })
    expect(verdicts(facts)).toEqual(["captured_once"])
  })

  it("takes an order that has too much since its merchant made it cheaper", () => {
    const facts = settled()
    first(facts.orders).owed = "-5"
    facts.done.cheapened = new Set(["order"])
    expect(verdicts(facts)).toEqual(["captured_once"])
  })

  it.each<[string, Verdict, (facts: Facts) => void]>([
    ["that the ledger forgot", "lost", (facts) => facts.refunds.pop()],
    ["that the ledger never applied", "lost", (facts) => (first(facts.refunds).state = "registered")],
    ["that the order lacks", "doubled", (facts) => (first(facts.ledger).onOrder = "20.01")],
    ["that the order is credited with twice", "doubled", (facts) => (first(facts.orders).credited = "40.02")],
    ["nobody made", "doubled", (facts) => facts.done.registered.pop()],
    [
      "of money that was sent back before the order was placed",
      "falsely_paid",
      (facts) => (first(facts.orders).created_at = new Date("2026-01-01T00:02:00Z")),
    ],
  ])("finds a refund %s: %s", spoiling(refunded))

  it("lets core credit an order with what it sends back of another provider's payment", () => {
    const facts = settled()
    Object.assign(first(facts.orders), { credited: "20.01", isPaidOtherwise: true })
    expect(verdicts(facts)).toEqual(["captured_once"])
  })
})

function overdue(order: Facts["orders"][number]): void {
  Object.assign(order, { isOverdue: true, owed: "20.01" })
}

function verdicts(facts: Facts): Verdict[] {
  return judge(facts).map(({ verdict }) => verdict)
}
