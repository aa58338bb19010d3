import { decide, type DecisionInput, type GatewayReading, type MedusaFacts } from "./decide"

const NOW = new Date("2026-01-10T12:00:00Z")
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 60 * 60 * 1000)

const liveSession: MedusaFacts = {
  session: { amount: "20.01", currencyCode: "usd" },
  payment: null,
  order: null,
  registeredRefund: "0",
  orderDeleted: false,
  hasCart: true,
  paidByAnother: false,
  providerMissing: false,
  isAdoptable: false,
}
const captured = { captured: true, refundedInFull: false, coversCollection: true }
const placedOrder = {
  canceled: false,
  booked: true,
  unpaidDifference: "0",
  linkAmount: "20.01",
  expiresAt: null,
}

function read(status: "PAID" | "UNPAID" | "PENDING" | "UNKNOWN", changes = {}): GatewayReading {
  return { outcome: "read", status, amount: "20.01000000000000", currencySymbol: "USD", ...changes }
}

function input(
  reading: GatewayReading,
  medusa: Partial<MedusaFacts> = {},
  ledger: Partial<DecisionInput["ledger"]> = {}
): DecisionInput {
  return {
    reading,
    ledger: {
      amount: "20.01",
      currencyCode: "usd",
      paidAt: null,
      watchUntil: hoursAgo(-24),
      isOffered: true,
      isSettled: false,
      attention: null,
      ...ledger,
    },
    medusa: { ...liveSession, ...medusa },
    now: NOW,
  }
}

describe("decide, gateway says not paid", () => {
  it.each(["UNPAID", "PENDING", "UNKNOWN"] as const)("waits on %s with a live session", (status) => {
    expect(decide(input(read(status)))).toEqual({ kind: "wait" })
  })

  it("waits with a live session after the watch window", () => {
    expect(decide(input(read("UNPAID"), {}, { watchUntil: hoursAgo(1) }))).toEqual({ kind: "wait" })
  })

  it("waits for an unpaid order after the watch window", () => {
    const order = { ...placedOrder, unpaidDifference: "20.01" }
    const medusa = { session: null, order }
    expect(decide(input(read("UNPAID"), medusa, { watchUntil: hoursAgo(1) }))).toEqual({ kind: "wait" })
  })

  it("withdraws the link of an order that was paid another way, and closes it once the watch window is over", () => {
    const medusa = { order: { ...placedOrder, unpaidDifference: "0" }, paidByAnother: true }
    expect(decide(input(read("UNPAID"), medusa))).toEqual({ kind: "withdraw" })
    expect(decide(input(read("UNPAID"), medusa, { watchUntil: NOW }))).toEqual({ kind: "close" })
  })

  it("waits while the cart is paid another way and is no order yet", () => {
    expect(decide(input(read("UNPAID"), { paidByAnother: true }))).toEqual({ kind: "wait" })
  })

  it("waits without a session inside the watch window", () => {
    expect(decide(input(read("UNPAID"), { session: null }))).toEqual({ kind: "wait" })
  })

  it("closes with neither session nor unpaid order once the watch window is over", () => {
    const over = { watchUntil: NOW }
    expect(decide(input(read("UNPAID"), { session: null }, over))).toEqual({ kind: "close" })
  })

  it.each([
    ["a cancelled order", { ...placedOrder, canceled: true, unpaidDifference: "20.01" }, false],
    ["an order another payment paid", { ...placedOrder, unpaidDifference: "20.01" }, true],
    ["an order with nothing left to pay", placedOrder, false],
  ])("closes after the watch window with %s", (_, order, paidByAnother) => {
    const medusa = { session: null, order, paidByAnother }
    expect(decide(input(read("PENDING"), medusa, { watchUntil: hoursAgo(1) }))).toEqual({ kind: "close" })
  })
})

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
  ])("leaves it to a person when %s", (_, change, reason) => {
    expect(decide(input(read("PAID"), { ...orphan, ...change }))).toEqual({ kind: "attention", reason })
  })

  it("leaves another amount than was asked for to a person", () => {
    const reading = read("PAID", { amount: "20.02000000000000" })
    expect(decide(input(reading, orphan))).toEqual({ kind: "attention", reason: "amount_mismatch" })
  })
})

describe("decide, an order that was placed unpaid", () => {
  const unpaid = { ...placedOrder, unpaidDifference: "20.01" }

  it("waits until its time is over", () => {
    const order = { ...unpaid, expiresAt: hoursAgo(-1) }
    expect(decide(input(read("UNPAID"), { order }))).toEqual({ kind: "wait" })
  })

  it("expires when its time is over", () => {
    expect(decide(input(read("UNPAID"), { order: { ...unpaid, expiresAt: NOW } }))).toEqual({
      kind: "expire",
    })
  })

  it.each(["PENDING", "UNKNOWN"] as const)("gets a day more when the gateway says %s", (status) => {
    const decideAt = (hours: number): string =>
      decide(input(read(status), { order: { ...unpaid, expiresAt: hoursAgo(hours) } })).kind
    expect([decideAt(23), decideAt(24)]).toEqual(["wait", "expire"])
  })

  it.each([
    ["the gateway says PAID", read("PAID"), {}, "capture"],
    ["PAID was recorded before", read("UNPAID"), {}, "capture"],
    ["the gateway cannot be read", { outcome: "unreadable" as const, failingSince: NOW }, {}, "retry"],
    ["the gateway refuses", { outcome: "refused" as const, failingSince: NOW }, {}, "retry"],
    ["another payment has paid it", read("UNPAID"), { paidByAnother: true }, "withdraw"],
    [
      "it is cancelled already",
      read("UNPAID"),
      { order: { ...unpaid, canceled: true, expiresAt: NOW } },
      "wait",
    ],
  ])("is not cancelled when %s", (name, reading, changes, expected) => {
    const ledger = name.startsWith("PAID was") ? { paidAt: hoursAgo(1) } : {}
    const medusa = { order: { ...unpaid, expiresAt: NOW }, ...changes }
    expect(decide(input(reading, medusa, ledger)).kind).toBe(expected)
  })

  it("is not watched for ever once it is cancelled, though core keeps its session", () => {
    const order = { ...unpaid, canceled: true }
    expect(decide(input(read("UNPAID"), { order }, { watchUntil: hoursAgo(1) }))).toEqual({ kind: "close" })
  })
})

describe("decide, an order owes less than its link asks for", () => {
  const changed = { ...placedOrder, unpaidDifference: "10", linkAmount: "10" }

  it.each(["UNPAID", "UNKNOWN"] as const)("renews the link on %s", (status) => {
    expect(decide(input(read(status), { order: changed }))).toEqual({ kind: "renew" })
  })

  it("withdraws the link of an order that owes nothing", () => {
    const order = { ...placedOrder, linkAmount: "0" }
    expect(decide(input(read("UNPAID"), { order }))).toEqual({ kind: "renew" })
    expect(decide(input(read("UNPAID"), { order, paidByAnother: true }))).toEqual({ kind: "withdraw" })
  })

  it("lets a payment end that is under way", () => {
    expect(decide(input(read("PENDING"), { order: changed }))).toEqual({ kind: "wait" })
  })

  it.each([
    ["is not offered", { order: changed }, { isOffered: false }],
    ["has lost its session", { order: changed, session: null }, {}],
    ["belongs to a cancelled order", { order: { ...changed, canceled: true } }, {}],
    ["belongs to a cart", { order: null }, {}],
    ["asks for less than is owed", { order: { ...changed, linkAmount: "40.02" } }, {}],
  ])("leaves a link alone that %s", (_, medusa, ledger) => {
    expect(decide(input(read("UNPAID"), medusa, ledger))).toEqual({ kind: "wait" })
  })
})

describe("decide, gateway says PAID and the money is equal", () => {
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
        input(read("PAID"), { payment: { ...captured, coversCollection }, order, hasCart: false }, ledger)
      )

    it("is underpaid when the collection asks for more than was captured", () => {
      expect(decided(owing, false)).toEqual({ kind: "done", attention: "order_underpaid" })
    })

    it("is done when it covers its own collection, as a deposit does", () => {
      expect(decided(owing, true)).toEqual({ kind: "done" })
    })

    it("is underpaid when the cart's payment was to pay all of it", () => {
      const medusa = { payment: captured, order: owing }
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
  })

  it("is done with attention when another payment has paid the booked order as well", () => {
    const medusa = { payment: captured, order: placedOrder, paidByAnother: true }
    const decision = decide(input(read("PAID"), medusa))
    expect(decision).toEqual({ kind: "done", attention: "duplicate_payment" })
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

  it("leaves it to a person to place an order of a cart anew whose order was deleted", () => {
    const decision = decide(input(read("PAID"), { payment: captured, orderDeleted: true }))
    expect(decision).toEqual({ kind: "attention", reason: "paid_without_order" })
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

describe("decide, gateway gives no answer to go by", () => {
  it("closes what the gateway has forgotten once nobody waits and the watch window is over", () => {
    const reading: GatewayReading = { outcome: "refused", failingSince: hoursAgo(5) }
    expect(decide(input(reading, { session: null }, { watchUntil: NOW }))).toEqual({ kind: "close" })
  })

  it("names a provider that is not registered after an hour, and closes nothing of it", () => {
    const missing = { session: null, providerMissing: true }
    const at = (hours: number) =>
      decide(input({ outcome: "refused", failingSince: hoursAgo(hours) }, missing, { watchUntil: NOW }))
    expect(at(0.99)).toEqual({ kind: "retry" })
    expect(at(1)).toEqual({ kind: "attention", reason: "provider_missing" })
  })

  it.each([
    ["it only does not answer", "unreadable", null],
    ["PAID was recorded", "refused", hoursAgo(1)],
  ] as const)("closes nothing when %s", (_, outcome, paidAt) => {
    const reading: GatewayReading = { outcome, failingSince: NOW }
    expect(decide(input(reading, { session: null }, { watchUntil: NOW, paidAt }))).toEqual({ kind: "retry" })
  })

  it("calls a gateway unreadable that has failed for a day, now in this way and now in that", () => {
    const flapping = { outcome: "refused" as const, failingSince: hoursAgo(0.5) }
    expect(decide(input({ ...flapping, unreadSince: hoursAgo(23.9) }))).toEqual({ kind: "retry" })
    expect(decide(input({ ...flapping, unreadSince: hoursAgo(24) }))).toEqual({
      kind: "attention",
      reason: "gateway_unreadable",
    })
  })

  it.each([
    ["refused", 0.99, { kind: "retry" }],
    ["refused", 1, { kind: "attention", reason: "gateway_refuses" }],
    ["unreadable", 23.9, { kind: "retry" }],
    ["unreadable", 24, { kind: "attention", reason: "gateway_unreadable" }],
  ] as const)("%s for %d hours", (outcome, hours, expected) => {
    expect(decide(input({ outcome, failingSince: hoursAgo(hours) }))).toEqual(expected)
  })
})
