import { decide, type MedusaFacts, type DecisionInput } from "./decide"
import { captured, hoursAgo, input, liveSession, placedOrder, read } from "./example-decision.spec"

describe("decide, money whose session is gone", () => {
  const orphan = { session: null, isAdoptable: true }

  it("gives it a session again when its cart or order still asks for it", () => {
    expect(decide(input(read("PAID"), orphan))).toEqual({ kind: "adopt" })
  })

  it.each([
    ["nothing asks for it", { isAdoptable: false }, "orphan_paid"],
    ["another payment paid", { paidByAnother: true }, "duplicate_payment"],
    ["the order is cancelled", { order: { ...placedOrder, canceled: true } }, "paid_on_canceled"],
    ["a part was sent back", { registeredRefund: "5.00" }, "orphan_paid"],
  ])("opens a case when %s", (_, change, reason) => {
    expect(decide(input(read("PAID"), { ...orphan, ...change }))).toEqual({ kind: "attention", reason })
  })

  it("opens a case for another amount than the requested one", () => {
    const reading = read("PAID", { amount: "20.02000000000000" })
    expect(decide(input(reading, orphan))).toEqual({ kind: "attention", reason: "amount_mismatch" })
  })
})

describe("decide, gateway says PAID and the money is equal", () => {
  it.each([
    ["a separate payment collection is done without an order", false, { kind: "done" }],
    ["what is of an order is not", true, { kind: "attention", reason: "paid_without_order" }],
  ])("%s", (_, isOfOrder, expected) => {
    const decision = decide(input(read("PAID"), { payment: captured, hasCart: false }, { isOfOrder }))
    expect(decision).toEqual(expected)
  })

  it("captures a live session that is not captured", () => {
    expect(decide(input(read("PAID")))).toEqual({ kind: "capture" })
  })

  it("captures a session whose payment was authorized and not captured", () => {
    const payment = { captured: false, refundedInFull: false, coversCollection: false }
    expect(decide(input(read("PAID"), { payment }))).toEqual({ kind: "capture" })
  })

  it("captures the session of an order that was placed first", () => {
    const order = { ...placedOrder, unpaidDifference: "20.01" }
    expect(decide(input(read("PAID"), { order }))).toEqual({ kind: "capture" })
  })

  it("is done once captured and the order is placed", () => {
    const medusa = { payment: captured, order: placedOrder }
    expect(decide(input(read("PAID"), medusa))).toEqual({ kind: "done" })
  })

  it("is done once captured where no cart is to become an order", () => {
    expect(decide(input(read("PAID"), { payment: captured, hasCart: false }))).toEqual({ kind: "done" })
  })

  it("asks for attention when captured and the cart has no order", () => {
    const decision = decide(input(read("PAID"), { payment: captured }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_without_order" })
  })

  describe("and captured, of another sum than the order costs", () => {
    const owing = { ...placedOrder, unpaidDifference: "20.01" }
    const overpaid = { ...placedOrder, unpaidDifference: "-0.01" }
    const decided = (
      order: MedusaFacts["order"],
      coversCollection: boolean,
      ledger: Partial<DecisionInput["ledger"]> = {}
    ): unknown =>
      decide(
        input(
          read("PAID"),
          { payment: { ...captured, coversCollection }, order, hasCart: false, isDeposit: true },
          ledger
        )
      )

    it("is underpaid when the collection asks for more than was captured", () => {
      expect(decided(owing, false)).toEqual({ kind: "done", attention: "order_underpaid" })
    })

    it("is done when it covers its own collection, as a deposit does", () => {
      expect(decided(owing, true)).toEqual({ kind: "done" })
    })

    it.each([true, false])("is underpaid when it was to pay all of it, with a cart: %s", (hasCart) => {
      const medusa = { payment: captured, order: owing, hasCart }
      expect(decide(input(read("PAID"), medusa))).toEqual({ kind: "done", attention: "order_underpaid" })
      expect(decide(input(read("PAID"), medusa, { isSettled: true }))).toEqual({ kind: "done" })
    })

    it("stays underpaid until the order owes nothing, whatever the collection asks for by then", () => {
      const ledger = { isSettled: true, attention: "order_underpaid" }
      expect(decided(owing, true, ledger)).toEqual({ kind: "done", attention: "order_underpaid" })
      expect(decided(placedOrder, true, ledger)).toEqual({ kind: "done" })
    })

    it("is overpaid when the order owed less than was captured", () => {
      expect(decided(overpaid, true)).toEqual({ kind: "done", attention: "order_overpaid" })
    })

    it("stays overpaid until nothing is left over", () => {
      const ledger = { isSettled: true, attention: "order_overpaid" }
      expect(decided(overpaid, true, ledger)).toEqual({ kind: "done", attention: "order_overpaid" })
      expect(decided(placedOrder, true, ledger)).toEqual({ kind: "done" })
    })

    it("is no case when the order has become smaller since it was settled", () => {
      expect(decided(overpaid, true, { isSettled: true })).toEqual({ kind: "done" })
    })

    it("is overpaid when other money came since it was settled", () => {
      const medusa = { payment: captured, order: overpaid, paidAgain: true }
      const again = input(read("PAID"), medusa, { isSettled: true })
      expect(decide(again)).toEqual({ kind: "done", attention: "order_overpaid" })
    })

    it("is not underpaid for other money that came since, when the merchant has raised the order", () => {
      const medusa = { payment: captured, order: owing, paidAgain: true }
      const again = input(read("PAID"), medusa, { isSettled: true })
      expect(decide(again)).toEqual({ kind: "done" })
    })
  })

  it("is done with attention when another payment has paid the booked order as well", () => {
    const medusa = { payment: captured, order: placedOrder, paidByAnother: true }
    const duplicate = { kind: "done", attention: "duplicate_payment" }
    expect(decide(input(read("PAID"), medusa))).toEqual(duplicate)
    const settled = (attention: string | null, paidAgain = false): DecisionInput =>
      input(read("PAID"), { ...medusa, paidAgain }, { isSettled: true, attention })
    expect(decide(settled(null, true))).toEqual(duplicate)
    expect(decide(settled("duplicate_payment"))).toEqual(duplicate)
    // The order became so small that the other payment alone covers it.
    expect(decide(settled(null))).toEqual({ kind: "done" })
  })

  it("does not call an order underpaid for less than half a cent", () => {
    const order = { ...placedOrder, unpaidDifference: "0.004" }
    expect(decide(input(read("PAID"), { payment: captured, order }))).toEqual({ kind: "done" })
  })

  it("asks for attention when captured and the order was cancelled", () => {
    const order = { ...placedOrder, canceled: true }
    const decision = decide(input(read("PAID"), { payment: captured, order }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_on_canceled" })
  })

  it.each([
    ["captured", { payment: captured }],
    ["captured, and the payment was deleted with the order", { session: null }],
    ["captured, deleted, and sent back in part", { session: null, registeredRefund: "1.00" }],
    ["not captured", {}],
  ])("asks for attention when the order of a request without a cart was deleted, %s", (_, medusa) => {
    const decision = decide(input(read("PAID"), { ...medusa, orderDeleted: true, hasCart: false }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_on_canceled" })
  })

  it("is final once the money of a deleted order is sent back", () => {
    const medusa = { session: null, registeredRefund: "20.01", orderDeleted: true, hasCart: false }
    expect(decide(input(read("PAID"), medusa))).toEqual({ kind: "refunded" })
  })

  it.each([
    ["captured", { payment: captured }],
    ["not captured", {}],
  ])("says that its order is gone when somebody has deleted it and it is %s", (_, medusa) => {
    const decision = decide(input(read("PAID"), { ...medusa, orderDeleted: true }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_on_canceled" })
  })

  it("does not ask core to capture what belongs to a provider that is not registered", () => {
    const decision = decide(input(read("PAID"), { providerMissing: true }))
    expect(decision).toEqual({ kind: "attention", reason: "provider_missing" })
  })

  it("is done with a captured payment, whether its provider is registered or not", () => {
    const medusa = { payment: captured, order: placedOrder, providerMissing: true }
    expect(decide(input(read("PAID"), medusa))).toEqual({ kind: "done" })
  })

  it("confirms an order later that core has linked and not booked yet", () => {
    const order = { ...placedOrder, booked: false }
    expect(decide(input(read("PAID"), { payment: captured, order }))).toEqual({ kind: "confirm" })
  })

  it("does not complete a cart whose captured payment is being sent back", () => {
    const decision = decide(input(read("PAID"), { payment: captured, registeredRefund: "1.00" }))
    expect(decision).toEqual({ kind: "attention", reason: "orphan_paid" })
  })

  it("is final once refunded in full, order or not", () => {
    const payment = { ...captured, refundedInFull: true }
    expect(decide(input(read("PAID"), { payment, order: null }))).toEqual({ kind: "refunded" })
    expect(decide(input(read("PAID"), { payment, order: placedOrder }))).toEqual({ kind: "refunded" })
  })

  it("never captures what was sent back, in full or in part", () => {
    expect(decide(input(read("PAID"), { registeredRefund: "20.01" }))).toEqual({ kind: "refunded" })
    const partial = decide(input(read("PAID"), { registeredRefund: "0.01" }))
    expect(partial).toEqual({ kind: "attention", reason: "orphan_paid" })
  })

  it("calls money on a deleted session an orphan", () => {
    const decision = decide(input(read("PAID"), { session: null }))
    expect(decision).toEqual({ kind: "attention", reason: "orphan_paid" })
  })

  it.each([
    ["the session is gone", null],
    ["the session is still there", liveSession.session],
  ])("calls it a duplicate when another payment paid already and %s", (_, session) => {
    const decision = decide(input(read("PAID"), { session, paidByAnother: true }))
    expect(decision).toEqual({ kind: "attention", reason: "duplicate_payment" })
  })

  it("never captures onto a cancelled order", () => {
    const order = { ...placedOrder, canceled: true, unpaidDifference: "20.01" }
    const decision = decide(input(read("PAID"), { order }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_on_canceled" })
  })
})

describe("decide, gateway says PAID and the money is not equal", () => {
  const mismatch = { kind: "attention", reason: "amount_mismatch" }

  it.each([
    ["less", { amount: "20.00000000000000" }],
    ["more", { amount: "20.02000000000000" }],
    ["another currency", { currencySymbol: "AED" }],
  ])("asks for attention and captures nothing when it is %s", (_, changes) => {
    expect(decide(input(read("PAID", changes)))).toEqual(mismatch)
  })

  it("asks for attention when the session asks for other money than the ledger", () => {
    expect(decide(input(read("PAID"), { session: { amount: "40.02", currencyCode: "usd" } }))).toEqual(
      mismatch
    )
  })

  it("asks for attention even when the session is gone or the order cancelled", () => {
    const order = { ...placedOrder, canceled: true, unpaidDifference: "0" }
    expect(decide(input(read("PAID", { amount: "1" }), { session: null, order }))).toEqual(mismatch)
  })

  it("takes amounts as equal that round half up to the same two decimals", () => {
    expect(decide(input(read("PAID", { amount: "20.00500000000000" })))).toEqual({ kind: "capture" })
    expect(decide(input(read("PAID", { amount: "20.00499999999999" })))).toEqual(mismatch)
  })

  it("takes the currency in either case", () => {
    expect(decide(input(read("PAID", { currencySymbol: "usd" })))).toEqual({ kind: "capture" })
  })
})

describe("decide, after PAID was recorded", () => {
  it.each(["UNPAID", "PENDING", "UNKNOWN"] as const)("is not downgraded by a later %s", (status) => {
    expect(decide(input(read(status), {}, { paidAt: hoursAgo(1) }))).toEqual({ kind: "capture" })
  })
})
