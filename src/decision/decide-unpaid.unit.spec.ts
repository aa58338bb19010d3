import { decide, type GatewayReading } from "./decide"
import { hoursAgo, input, liveSession, NOW, placedOrder, read } from "./example-decision.spec"

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

  it("withdraws the link of a collection that was deleted from its order, and closes it once the watch window is over", () => {
    const order = { ...placedOrder, unpaidDifference: "20.01" }
    const medusa = { session: null, order, hasCart: false, isCollectionDeleted: true }
    expect(decide(input(read("UNPAID"), medusa))).toEqual({ kind: "withdraw" })
    expect(decide(input(read("UNPAID"), { ...medusa, session: liveSession.session }))).toEqual({
      kind: "withdraw",
    })
    expect(decide(input(read("UNPAID"), medusa, { watchUntil: NOW }))).toEqual({ kind: "close" })
  })

  it("waits for the order of a cart whose collection was deleted: its links watch the order's time", () => {
    const order = { ...placedOrder, unpaidDifference: "20.01" }
    const medusa = { session: null, order, isCollectionDeleted: true }
    expect(decide(input(read("UNPAID"), medusa, { watchUntil: NOW }))).toEqual({ kind: "wait" })
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

describe("decide, the gateway does not know the link of an unpaid order", () => {
  const unpaid = { ...placedOrder, unpaidDifference: "20.01" }
  const unknown = (hours: number): GatewayReading => ({
    outcome: "unknown_to_gateway",
    failingSince: hoursAgo(hours),
  })
  const refused: GatewayReading = { outcome: "refused", failingSince: hoursAgo(1) }
  const over = { order: { ...unpaid, expiresAt: NOW } }

  it("expires it with its time once that has lasted an hour", () => {
    expect(decide(input(unknown(0.99), over))).toEqual({ kind: "retry" })
    expect(decide(input(unknown(1), over))).toEqual({ kind: "expire" })
  })

  it.each([
    ["its time is not over", unknown(1), { order: { ...unpaid, expiresAt: hoursAgo(-1) } }],
    ["it may stay unpaid for ever", unknown(1), { order: unpaid }],
    ["another refusal says nothing about the link", refused, over],
    ["the order was paid another way", unknown(1), { order: over.order, paidByAnother: true }],
  ])("opens a case when %s", (_, reading, medusa) => {
    expect(decide(input(reading, medusa))).toEqual({ kind: "attention", reason: "gateway_refuses" })
  })

  it("never expires what was PAID once", () => {
    expect(decide(input(unknown(1), over, { paidAt: hoursAgo(2) })).kind).not.toBe("expire")
  })

  it("closes the link of a cancelled order after that hour", () => {
    const medusa = { order: { ...unpaid, canceled: true } }
    expect(decide(input(unknown(1), medusa))).toEqual({ kind: "close" })
    expect(decide(input(refused, medusa))).toEqual({ kind: "attention", reason: "gateway_refuses" })
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

  it("gives a link of which a genuine notification says PAID as long, although the reads still say UNPAID", () => {
    const decideAt = (hours: number): string =>
      decide(
        input(
          read("UNPAID"),
          { order: { ...placedOrder, unpaidDifference: "20.01", expiresAt: hoursAgo(hours) } },
          { isReportedPaid: true }
        )
      ).kind
    expect([decideAt(0), decideAt(23), decideAt(24)]).toEqual(["wait", "wait", "expire"])
  })

  it.each([
    ["the gateway says PAID", read("PAID"), {}, "capture"],
    ["the gateway cannot be read", { outcome: "unreadable" as const, failingSince: NOW }, {}, "retry"],
    ["the gateway refuses", { outcome: "refused" as const, failingSince: NOW }, {}, "retry"],
    ["another payment has paid it", read("UNPAID"), { paidByAnother: true }, "withdraw"],
    [
      "it is cancelled already",
      read("UNPAID"),
      { order: { ...unpaid, canceled: true, expiresAt: NOW } },
      "wait",
    ],
  ])("is not cancelled when %s", (_, reading, changes, expected) => {
    const medusa = { order: { ...unpaid, expiresAt: NOW }, ...changes }
    expect(decide(input(reading, medusa)).kind).toBe(expected)
  })

  it("is not cancelled when PAID was recorded before", () => {
    const medusa = { order: { ...unpaid, expiresAt: NOW } }
    expect(decide(input(read("UNPAID"), medusa, { paidAt: hoursAgo(1) })).kind).toBe("capture")
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

describe("decide, a shopper asks for the link of an order that owes more than it asks for", () => {
  const grown = { ...placedOrder, unpaidDifference: "40.02", linkAmount: "40.02" }
  const asked = { isLinkAsked: true }
  const lost = { outcome: "unknown_to_gateway" as const, failingSince: hoursAgo(0) }

  it.each(["UNPAID", "UNKNOWN"] as const)("renews the link on %s", (status) => {
    expect(decide(input(read(status), { order: grown }, asked))).toEqual({ kind: "renew" })
  })

  it("lets a payment end that is under way", () => {
    expect(decide(input(read("PENDING"), { order: grown }, asked))).toEqual({ kind: "wait" })
  })

  it("leaves a link alone that asks for what is owed", () => {
    expect(decide(input(read("UNPAID"), { order: placedOrder }, asked))).toEqual({ kind: "wait" })
  })

  it("renews a link that the gateway does not know", () => {
    expect(decide(input(lost, { order: grown }, asked))).toEqual({ kind: "renew" })
    expect(decide(input(lost, { order: grown }))).toEqual({ kind: "retry" })
  })

  it.each(["refused", "unreadable"] as const)("waits while the reading of the link is %s", (outcome) => {
    expect(decide(input({ ...lost, outcome }, { order: grown }, asked))).toEqual({ kind: "retry" })
  })
})

describe("decide, gateway gives no answer to go by", () => {
  it.each(["refused", "unknown_to_gateway"] as const)(
    "closes what the gateway has forgotten (%s) once nobody waits and the watch window is over",
    (outcome) => {
      const reading: GatewayReading = { outcome, failingSince: hoursAgo(5) }
      expect(decide(input(reading, { session: null }, { watchUntil: NOW }))).toEqual({ kind: "close" })
    }
  )

  it("names a provider that is not registered after an hour, and closes nothing of it", () => {
    const missing = { session: null, providerMissing: true }
    const at = (hours: number) =>
      decide(
        input({ outcome: "provider_missing", failingSince: hoursAgo(hours) }, missing, { watchUntil: NOW })
      )
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
    ["unknown_to_gateway", 0.99, { kind: "retry" }],
    ["unknown_to_gateway", 1, { kind: "attention", reason: "gateway_refuses" }],
    ["unreadable", 23.9, { kind: "retry" }],
    ["unreadable", 24, { kind: "attention", reason: "gateway_unreadable" }],
  ] as const)("%s for %d hours", (outcome, hours, expected) => {
    expect(decide(input({ outcome, failingSince: hoursAgo(hours) }))).toEqual(expected)
  })
})
