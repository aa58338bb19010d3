import { audit, countGhostOrders, countUnpaidOrders, type Verdict } from "./audit"
import type { Facts } from "./audit-facts"

/** One 20.01 USD checkout, paid and settled as it should be. */
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
        payment_collection_id: "collection",
        cart_id: "cart",
        amount: "20.01",
        currency_code: "usd",
        state: "captured",
        paid_at: new Date(),
        captured_at: new Date(),
        order_announced_at: new Date(),
        settled_at: new Date(),
        attention_reason: null,
        attention_resolved_at: null,
      },
    ],
    payments: [
      {
        id: "payment",
        is_crypto: true,
        payment_request_id: "request",
        payment_collection_id: "collection",
        currency_code: "usd",
        canceled_at: null,
        captures: [{ id: "capture", amount: "20.01" }],
        refunds: [],
      },
    ],
    orders: [
      {
        id: "order",
        cart_id: "cart",
        created_at: new Date("2026-01-01T00:00:10Z"),
        total: "20.01",
        credited: "0",
        canceled: false,
        isOverdue: false,
        transactions: [{ reference: "capture", reference_id: "capture", amount: "20.01" }],
      },
    ],
    refunds: [],
    made: [],
    aheadMs: 0,
  }
}

/** The same, sent back in full and booked everywhere. */
function refunded(): Facts {
  const facts = settled()
  const made = { paymentRequestId: "request", amount: "20.01", reference: "0xabc" }
  facts.made.push(made)
  facts.refunds.push({ ...made, state: "applied", registeredAt: new Date("2026-01-01T00:01:00Z") })
  first(facts.payments).refunds.push({ id: "refund", amount: "20.01" })
  const order = first(facts.orders)
  order.transactions.push({ reference: "refund", reference_id: "refund", amount: "-20.01" })
  Object.assign(order, { total: "0", credited: "20.01" })
  Object.assign(first(facts.ledger), { state: "refunded" })
  return facts
}

/** The order is cancelled, and core has booked a refund under the payment's id, as it does. */
function canceledByCore(payment: Pick<Facts["payments"][number], "is_crypto" | "refunds">): Facts {
  const facts = { ...settled(), gateway: [], ledger: [] }
  Object.assign(first(facts.payments), payment)
  const order = first(facts.orders)
  order.transactions.push({ reference: "refund", reference_id: "payment", amount: "-20.01" })
  Object.assign(order, { canceled: true, ...(payment.is_crypto ? {} : { total: "0", credited: "20.01" }) })
  return facts
}

const first = <T>([one]: T[]): T => one as T

describe("audit", () => {
  it("counts a settled payment as captured once", () => {
    expect(verdicts(settled())).toEqual(["captured_once"])
  })

  it("counts an unpaid request as unpaid", () => {
    const facts = { ...settled(), payments: [], orders: [] }
    first(facts.gateway).paid_at = null
    Object.assign(first(facts.ledger), { paid_at: null, captured_at: null, settled_at: null })
    expect(verdicts(facts)).toEqual(["unpaid"])
  })

  it("counts a payment without a capture that is in the attention list as attention", () => {
    const facts = { ...settled(), payments: [], orders: [] }
    first(facts.ledger).attention_reason = "orphan_paid"
    expect(verdicts(facts)).toEqual(["attention"])
  })

  it("counts a capture that was never booked as attention when its order was cancelled before that", () => {
    const facts = settled()
    Object.assign(first(facts.orders), { canceled: true, transactions: [] })
    expect(verdicts(facts)).toEqual(["lost"])
    first(facts.ledger).attention_reason = "paid_on_canceled"
    expect(verdicts(facts)).toEqual(["attention"])
    first(facts.orders).canceled = false
    expect(verdicts(facts)).toEqual(["lost"])
  })

  it.each<[string, Verdict, (facts: Facts) => void]>([
    ["without a ledger row", "lost", (facts) => facts.ledger.pop()],
    [
      "neither captured nor on the attention list",
      "lost",
      (facts) => (facts.payments.pop(), facts.orders.pop()),
    ],
    ["captured without an order or an attention", "lost", (facts) => facts.orders.pop()],
    ["captured and not booked on the order", "lost", (facts) => first(facts.orders).transactions.pop()],
    ["captured and cancelled", "lost", (facts) => (first(facts.payments).canceled_at = new Date())],
    [
      "refunded in Medusa, and nobody sent anything back",
      "doubled",
      (facts) => first(facts.payments).refunds.push({ id: "refund", amount: "20.01" }),
    ],
    [
      "of a cancelled order, and nobody sent anything back",
      "lost",
      (facts) => (first(facts.orders).canceled = true),
    ],
    ["never settled in the ledger", "lost", (facts) => (first(facts.ledger).settled_at = null)],
    [
      "resolved on the attention list without a capture",
      "lost",
      (facts) => {
        facts.payments.pop()
        facts.orders.pop()
        Object.assign(first(facts.ledger), { attention_reason: "x", attention_resolved_at: new Date() })
      },
    ],
    [
      "captured by two payments",
      "doubled",
      (facts) => facts.payments.push({ ...first(facts.payments), id: "second" }),
    ],
    [
      "captured twice by one payment",
      "doubled",
      (facts) => first(facts.payments).captures.push({ id: "second", amount: "20.01" }),
    ],
    [
      "with two orders of its cart",
      "doubled",
      (facts) => facts.orders.push({ ...first(facts.orders), id: "second" }),
    ],
    ["UNPAID at the gateway", "falsely_paid", (facts) => (first(facts.gateway).paid_at = null)],
    [
      "captured for another amount",
      "falsely_paid",
      (facts) => (first(first(facts.payments).captures).amount = "40.02"),
    ],
    [
      "captured for another cart",
      "falsely_paid",
      (facts) => (first(facts.payments).payment_collection_id = "other"),
    ],
    [
      "captured and unknown to the gateway",
      "falsely_paid",
      (facts) => (first(facts.payments).payment_request_id = "unknown"),
    ],
    [
      "booked without a capture",
      "falsely_paid",
      (facts) => {
        first(facts.orders).transactions.push({ reference: "capture", reference_id: "nothing", amount: "1" })
        first(facts.orders).total = "21.01"
      },
    ],
    ["booked beyond what the order asks", "doubled", (facts) => (first(facts.orders).total = "10.00")],
  ])("finds a payment %s: %s", (_, verdict, spoil) => {
    const facts = settled()
    spoil(facts)
    expect(verdicts(facts)).toContain(verdict)
  })

  it("counts a refunded payment as captured once", () => {
    expect(audit(refunded())).toEqual([{ verdict: "captured_once", id: "request", why: "refunded" }])
  })

  it.each<[string, (facts: Facts) => void]>([
    ["never captured", (facts) => (facts.payments.pop(), facts.orders.pop())],
    ["captured and never ordered", (facts) => facts.orders.pop()],
  ])("counts a refunded payment that was %s as sent back", (_, change) => {
    const facts = refunded()
    change(facts)
    expect(verdicts(facts)).toEqual(["sent_back"])
  })

  it.each<[string, Verdict, (facts: Facts) => void]>([
    ["that the ledger forgot", "lost", (facts) => facts.refunds.pop()],
    ["that the ledger never applied", "lost", (facts) => (first(facts.refunds).state = "registered")],
    ["that Medusa's payment lacks", "lost", (facts) => first(facts.payments).refunds.pop()],
    ["that the order lacks", "lost", (facts) => first(facts.orders).transactions.pop()],
    ["that the order still asks for", "lost", (facts) => (first(facts.orders).credited = "0")],
    ["nobody made", "doubled", (facts) => facts.made.pop()],
    [
      "that Medusa's payment has twice",
      "doubled",
      (facts) => first(facts.payments).refunds.push({ id: "second", amount: "20.01" }),
    ],
    [
      "that the order has twice",
      "doubled",
      (facts) =>
        first(facts.orders).transactions.push({
          reference: "refund",
          reference_id: "refund",
          amount: "-20.01",
        }),
    ],
    [
      "of money that was sent back before the order was placed",
      "falsely_paid",
      (facts) => (first(facts.orders).created_at = new Date("2026-01-01T00:02:00Z")),
    ],
  ])("finds a refund %s: %s", (_, verdict, spoil) => {
    const facts = refunded()
    spoil(facts)
    expect(verdicts(facts)).toContain(verdict)
  })

  it("takes the refund that core books when it cancels an order of another provider's payment", () => {
    const facts = canceledByCore({ is_crypto: false, refunds: [{ id: "refund", amount: "20.01" }] })
    expect(audit(facts)).toEqual([])
  })

  it("finds a refund booked for another provider's payment that was not refunded", () => {
    expect(verdicts(canceledByCore({ is_crypto: false, refunds: [] }))).toEqual(["falsely_paid"])
  })

  it("finds the same refund booked twice", () => {
    const facts = canceledByCore({ is_crypto: false, refunds: [{ id: "refund", amount: "20.01" }] })
    const { transactions } = first(facts.orders)
    transactions.push({ ...(transactions.at(-1) as (typeof transactions)[number]) })
    expect(verdicts(facts)).toEqual(["falsely_paid", "falsely_paid"])
  })

  it("counts an order that a script cancelled as attention, and finds it lost without a case", () => {
    const facts = canceledByCore({ is_crypto: true, refunds: [] })
    const ours = settled()
    Object.assign(facts, { gateway: ours.gateway, ledger: ours.ledger })
    expect(verdicts(facts)).toEqual(["lost"])
    first(facts.ledger).attention_reason = "paid_on_canceled"
    expect(verdicts(facts)).toEqual(["attention"])
  })

  it("counts an order nobody paid", () => {
    const facts = settled()
    first(facts.orders).transactions = []
    expect([countUnpaidOrders(facts), countGhostOrders(facts)]).toEqual([1, 0])
  })

  it("counts an order that no cart leads to as a ghost order, until it is cancelled", () => {
    const facts = settled()
    Object.assign(first(facts.orders), { transactions: [], cart_id: null })
    expect([countUnpaidOrders(facts), countGhostOrders(facts)]).toEqual([0, 1])
    first(facts.orders).canceled = true
    expect(countGhostOrders(facts)).toBe(0)
  })
})

function verdicts(facts: Facts): Verdict[] {
  return audit(facts).map(({ verdict }) => verdict)
}
