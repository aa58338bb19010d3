import { decide, type DecisionInput } from "./decide"
import { EXAMPLES, hoursAgo, input, NOW, read } from "./example-decision.spec"
import type { DecidedFacts, DecidedRow } from "./facts"

const { captured, noSession, placedOrder, unpaidOrder } = EXAMPLES

describe("decide, money whose session is gone", () => {
  const orphan = { ...noSession, adopting_collection_id: "pay_col_1" }

  it("gives it a session again when a collection of its cart or order still asks for it", () => {
    expect(decide(input(read("PAID"), orphan))).toEqual({ kind: "adopt" })
  })

  it.each([
    ["nothing asks for it", { adopting_collection_id: null }, "orphan_paid"],
    ["its cart costs more by now", { asked_amount: "40.02" }, "orphan_paid"],
    ["its cart is in another currency by now", { asked_currency_code: "aed" }, "orphan_paid"],
    [
      "no collection asks for it, and its order owes it",
      { ...unpaidOrder, cart_id: null, adopting_collection_id: null },
      "orphan_paid",
    ],
    ["another payment paid", { paid_by_another: true }, "duplicate_payment"],
    ["the order is cancelled", { ...placedOrder, order_canceled: true }, "paid_on_canceled"],
    ["a part was sent back", { registered_refund: "5.00" }, "orphan_paid"],
  ])("opens a case when %s", (_, change, reason) => {
    expect(decide(input(read("PAID"), { ...orphan, ...change }))).toEqual({ kind: "attention", reason })
  })

  it("opens a case for another amount than the requested one", () => {
    const reading = read("PAID", { gateway_amount: "20.02000000000000" })
    expect(decide(input(reading, orphan))).toEqual({ kind: "attention", reason: "amount_mismatch" })
  })
})

describe("decide, gateway says PAID and the money is equal", () => {
  it.each([
    ["a separate payment collection is done without an order", null, { kind: "done" }],
    ["what is of an order is not", "order_1", { kind: "attention", reason: "paid_without_order" }],
  ])("%s", (_, order_id, expected) => {
    const decision = decide(input(read("PAID"), { ...captured, cart_id: null }, { order_id }))
    expect(decision).toEqual(expected)
  })

  it("captures a live session that is not captured", () => {
    expect(decide(input(read("PAID")))).toEqual({ kind: "capture" })
  })

  it("takes the row's own amount and currency where the gateway has named none", () => {
    const reading = read("PAID", { gateway_amount: null, gateway_currency_symbol: null })
    expect(decide(input(reading))).toEqual({ kind: "capture" })
  })

  it.each([
    ["0", "0", "capture"],
    ["20.01", "0", "done"],
    ["20.01", "20.00", "done"],
    ["20.01", "20.01", "refunded"],
    ["20.01", "20.02", "refunded"],
  ])("of which %s is captured and %s sent back: %s", (payment_captured, payment_refunded, kind) => {
    const facts = { ...captured, ...placedOrder, payment_captured, payment_refunded }
    expect(decide(input(read("PAID"), facts)).kind).toBe(kind)
  })

  it("captures the session of an order that was placed first", () => {
    const order = { ...placedOrder, order_unpaid: "20.01" }
    expect(decide(input(read("PAID"), order))).toEqual({ kind: "capture" })
  })

  it("is done once captured and the order is placed", () => {
    const facts = { ...captured, ...placedOrder }
    expect(decide(input(read("PAID"), facts))).toEqual({ kind: "done" })
  })

  it("is done once captured where no cart is to become an order", () => {
    expect(decide(input(read("PAID"), { ...captured, cart_id: null }))).toEqual({ kind: "done" })
  })

  it("asks for attention when captured and the cart has no order", () => {
    const decision = decide(input(read("PAID"), captured))
    expect(decision).toEqual({ kind: "attention", reason: "paid_without_order" })
  })

  describe("and captured, of another sum than the order costs", () => {
    const owing = { ...placedOrder, order_unpaid: "20.01" }
    const overpaid = { ...placedOrder, order_unpaid: "-0.01" }
    const decided = (
      order: Partial<DecidedFacts>,
      coversCollection: boolean,
      row: Partial<DecidedRow> = {}
    ): unknown =>
      decide(
        input(
          read("PAID"),
          {
            ...captured,
            ...order,
            collection_amount: coversCollection ? "20.01" : "40.02",
            cart_id: null,
          },
          row
        )
      )

    it("is underpaid when the collection asks for more than was captured", () => {
      expect(decided(owing, false)).toEqual({ kind: "done", attention: "order_underpaid" })
    })

    it("is done when it covers a collection of the order's own, which may ask for a part", () => {
      expect(decided(owing, true)).toEqual({ kind: "done" })
    })

    it("is underpaid when it is a cart's, which is to pay all of its order", () => {
      const facts = { ...captured, ...owing }
      expect(decide(input(read("PAID"), facts))).toEqual({ kind: "done", attention: "order_underpaid" })
    })

    it.each([
      ["a cart's", "20.01", "cart_1"],
      ["less than its collection asks for", "40.02", null],
    ])(
      "is no case when it is %s and the order has grown since it was settled",
      (_, collection_amount, cart_id) => {
        const facts = { ...captured, ...owing, collection_amount, cart_id }
        expect(decide(input(read("PAID"), facts, { settled_at: NOW }))).toEqual({ kind: "done" })
      }
    )

    it("stays underpaid until the order owes nothing, whatever the collection asks for by then", () => {
      const row = { settled_at: NOW, attention_reason: "order_underpaid" }
      expect(decided(owing, true, row)).toEqual({ kind: "done", attention: "order_underpaid" })
      expect(decided(placedOrder, true, row)).toEqual({ kind: "done" })
    })

    it.each([
      ["20.01", "20.01", undefined],
      ["20.01", "40.02", undefined],
      ["40.02", "20.01", "order_underpaid"],
      [null, "20.01", undefined],
    ])(
      "a collection that asks for %s and has %s: %s",
      (collection_amount, collection_captured, attention) => {
        const collection = { cart_id: null, collection_amount, collection_captured }
        const decision = decide(input(read("PAID"), { ...captured, ...owing, ...collection }))
        expect(decision).toEqual({ kind: "done", ...(attention === undefined ? {} : { attention }) })
      }
    )

    it("is overpaid when the order owed less than was captured", () => {
      expect(decided(overpaid, true)).toEqual({ kind: "done", attention: "order_overpaid" })
    })

    it("stays overpaid until nothing is left over", () => {
      const row = { settled_at: NOW, attention_reason: "order_overpaid" }
      expect(decided(overpaid, true, row)).toEqual({ kind: "done", attention: "order_overpaid" })
      expect(decided(placedOrder, true, row)).toEqual({ kind: "done" })
    })

    it("is no case when the order has become smaller since it was settled", () => {
      expect(decided(overpaid, true, { settled_at: NOW })).toEqual({ kind: "done" })
    })

    it("is overpaid when other money came since it was settled", () => {
      const facts = { ...captured, ...overpaid, is_paid_again: true }
      const again = input(read("PAID"), facts, { settled_at: NOW })
      expect(decide(again)).toEqual({ kind: "done", attention: "order_overpaid" })
    })

    it("is not underpaid for other money that came since, when the merchant has raised the order", () => {
      const facts = { ...captured, ...owing, is_paid_again: true }
      const again = input(read("PAID"), facts, { settled_at: NOW })
      expect(decide(again)).toEqual({ kind: "done" })
    })
  })

  it("is done with attention when another payment has paid the booked order as well", () => {
    const facts = { ...captured, ...placedOrder, paid_by_another: true }
    const duplicate = { kind: "done", attention: "duplicate_payment" }
    expect(decide(input(read("PAID"), facts))).toEqual(duplicate)
    const settled = (attention_reason: string | null, is_paid_again = false): DecisionInput =>
      input(read("PAID"), { ...facts, is_paid_again }, { settled_at: NOW, attention_reason })
    expect(decide(settled(null, true))).toEqual(duplicate)
    expect(decide(settled("duplicate_payment"))).toEqual(duplicate)
    // The order became so small that the other payment alone covers it.
    expect(decide(settled(null))).toEqual({ kind: "done" })
  })

  it("is done where core shows no sum that the order owes", () => {
    const facts = { ...captured, ...placedOrder, order_unpaid: null }
    expect(decide(input(read("PAID"), facts))).toEqual({ kind: "done" })
  })

  it("does not call an order underpaid for less than half a cent", () => {
    const order = { ...placedOrder, order_unpaid: "0.004" }
    expect(decide(input(read("PAID"), { ...captured, ...order }))).toEqual({ kind: "done" })
  })

  it("asks for attention when captured and the order was cancelled", () => {
    const order = { ...placedOrder, order_canceled: true }
    const decision = decide(input(read("PAID"), { ...captured, ...order }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_on_canceled" })
  })

  it.each([
    ["captured", captured],
    ["captured, and the payment was deleted with the order", noSession],
    ["captured, deleted, and sent back in part", { ...noSession, registered_refund: "1.00" }],
    ["not captured", {}],
  ])("asks for attention when the order of a request without a cart was deleted, %s", (_, facts) => {
    const decision = decide(input(read("PAID"), { ...facts, order_deleted: true, cart_id: null }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_on_canceled" })
  })

  it("is final once the money of a deleted order is sent back", () => {
    const facts = { ...noSession, registered_refund: "20.01", order_deleted: true, cart_id: null }
    expect(decide(input(read("PAID"), facts))).toEqual({ kind: "refunded" })
  })

  it.each([
    ["captured", captured],
    ["not captured", {}],
  ])("says that its order is gone when somebody has deleted it and it is %s", (_, facts) => {
    const decision = decide(input(read("PAID"), { ...facts, order_deleted: true }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_on_canceled" })
  })

  it("does not ask core to capture what belongs to a provider that is not registered", () => {
    const after = (minutes: number) =>
      decide(input(read("PAID", { paid_at: hoursAgo(minutes / 60) }), { provider_missing: true }))
    expect(after(9.9)).toEqual({ kind: "retry" })
    expect(after(10)).toEqual({ kind: "attention", reason: "provider_missing" })
  })

  it("is done with a captured payment, whether its provider is registered or not", () => {
    const facts = { ...captured, ...placedOrder, provider_missing: true }
    expect(decide(input(read("PAID"), facts))).toEqual({ kind: "done" })
  })

  it("confirms an order later that core has linked and not booked yet", () => {
    const order = { ...placedOrder, order_booked: false }
    expect(decide(input(read("PAID"), { ...captured, ...order }))).toEqual({ kind: "confirm" })
  })

  it("does not complete a cart whose captured payment is being sent back", () => {
    const decision = decide(input(read("PAID"), { ...captured, registered_refund: "1.00" }))
    expect(decision).toEqual({ kind: "attention", reason: "orphan_paid" })
  })

  it("is final once all was registered as sent back, also what was of another amount", () => {
    const reading = read("PAID", { gateway_amount: "7.00000000000000", state: "refunded" })
    expect(decide(input(reading))).toEqual({ kind: "refunded" })
  })

  it("is final once refunded in full, order or not", () => {
    const payment = { ...captured, payment_refunded: "20.01" }
    expect(decide(input(read("PAID"), { ...payment, order_id: null }))).toEqual({ kind: "refunded" })
    expect(decide(input(read("PAID"), { ...payment, ...placedOrder }))).toEqual({ kind: "refunded" })
  })

  it("never captures what was sent back, in full or in part", () => {
    expect(decide(input(read("PAID"), { registered_refund: "20.01" }))).toEqual({ kind: "refunded" })
    const partial = decide(input(read("PAID"), { registered_refund: "0.01" }))
    expect(partial).toEqual({ kind: "attention", reason: "orphan_paid" })
  })

  it("calls money on a deleted session an orphan", () => {
    const decision = decide(input(read("PAID"), noSession))
    expect(decision).toEqual({ kind: "attention", reason: "orphan_paid" })
  })

  it.each([
    ["the session is gone", noSession],
    ["the session is still there", {}],
  ])("calls it a duplicate when another payment paid already and %s", (_, session) => {
    const decision = decide(input(read("PAID"), { ...session, paid_by_another: true }))
    expect(decision).toEqual({ kind: "attention", reason: "duplicate_payment" })
  })

  it("never captures onto a cancelled order", () => {
    const order = { ...placedOrder, order_canceled: true, order_unpaid: "20.01" }
    const decision = decide(input(read("PAID"), order))
    expect(decision).toEqual({ kind: "attention", reason: "paid_on_canceled" })
  })
})

describe("decide, gateway says PAID and the money is not equal", () => {
  const mismatch = { kind: "attention", reason: "amount_mismatch" }

  it.each([
    ["less", { gateway_amount: "20.00000000000000" }],
    ["more", { gateway_amount: "20.02000000000000" }],
    ["another currency", { gateway_currency_symbol: "AED" }],
  ])("asks for attention and captures nothing when it is %s", (_, changes) => {
    expect(decide(input(read("PAID", changes)))).toEqual(mismatch)
  })

  it.each([{ session_amount: "40.02" }, { session_currency_code: "aed" }])(
    "asks for attention when the session asks for other money than the row: %j",
    (session) => {
      expect(decide(input(read("PAID"), session))).toEqual(mismatch)
    }
  )

  it("asks for attention even when the session is gone or the order cancelled", () => {
    const order = { ...placedOrder, order_canceled: true, order_unpaid: "0" }
    expect(decide(input(read("PAID", { gateway_amount: "1" }), { ...noSession, ...order }))).toEqual(mismatch)
  })

  it("takes amounts as equal that round half up to the same two decimals", () => {
    expect(decide(input(read("PAID", { gateway_amount: "20.00500000000000" })))).toEqual({ kind: "capture" })
    expect(decide(input(read("PAID", { gateway_amount: "20.00499999999999" })))).toEqual(mismatch)
  })

  it("takes the currency in either case", () => {
    expect(decide(input(read("PAID", { gateway_currency_symbol: "usd" })))).toEqual({ kind: "capture" })
  })
})

describe("decide, after PAID was recorded", () => {
  it.each(["UNPAID", "PENDING", "UNKNOWN"] as const)("is not downgraded by a later %s", (status) => {
    expect(decide(input(read(status), {}, { paid_at: hoursAgo(1) }))).toEqual({ kind: "capture" })
  })
})
