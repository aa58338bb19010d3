import { decide } from "./decide"
import { EXAMPLES, expiring, failed, FORGOTTEN, hoursAgo, input, NOW, read } from "./example-decision.spec"
import { READ_FAILURES } from "./read-failure"

const { noSession, placedOrder, unpaidOrder } = EXAMPLES
/** As a gateway does that has renamed PAID. */
const RENAMED = { gateway_status: "COMPLETED", gateway_amount: "20.01", status_since: NOW }

describe("decide, gateway says not paid", () => {
  it.each(["UNPAID", "PENDING", "UNKNOWN"] as const)("waits on %s with a live session", (status) => {
    expect(decide(input(read(status)))).toEqual({ kind: "wait" })
  })

  it("waits with a live session after the watch window", () => {
    expect(decide(input(read("UNPAID"), {}, FORGOTTEN))).toEqual({ kind: "wait" })
  })

  it("waits for an unpaid order after the watch window", () => {
    const facts = { ...noSession, ...unpaidOrder }
    expect(decide(input(read("UNPAID"), facts, FORGOTTEN))).toEqual({ kind: "wait" })
  })

  it("withdraws the link of an order that was paid another way, and closes it once the watch window is over", () => {
    const facts = { ...placedOrder, paid_by_another: true }
    expect(decide(input(read("UNPAID"), facts))).toEqual({ kind: "withdraw" })
    expect(decide(input(read("UNPAID"), facts, FORGOTTEN))).toEqual({ kind: "close" })
  })

  it.each([
    ["cancelled", { ...unpaidOrder, order_canceled: true }],
    ["deleted", { ...noSession, order_deleted: true }],
    ["deleted, and kept its session", { order_deleted: true }],
  ])(
    "withdraws the link of an order that was %s, and closes it once the watch window is over",
    (_, facts) => {
      expect(decide(input(read("UNPAID"), facts))).toEqual({ kind: "withdraw" })
      expect(decide(input(read("UNPAID"), facts, FORGOTTEN))).toEqual({ kind: "close" })
    }
  )

  it("waits while the cart is paid another way and is no order yet", () => {
    expect(decide(input(read("UNPAID"), { paid_by_another: true }))).toEqual({ kind: "wait" })
  })

  it("waits without a session inside the watch window", () => {
    expect(decide(input(read("UNPAID"), noSession))).toEqual({ kind: "wait" })
  })

  it("closes with neither session nor unpaid order once the watch window is over", () => {
    expect(decide(input(read("UNPAID"), noSession, FORGOTTEN))).toEqual({ kind: "close" })
  })

  it.each([
    ["a cancelled order", { ...placedOrder, order_canceled: true, order_unpaid: "20.01" }, false],
    ["an order another payment paid", unpaidOrder, true],
    ["an order with nothing left to pay", placedOrder, false],
  ])("closes after the watch window with %s", (_, order, paid_by_another) => {
    const facts = { ...noSession, ...order, paid_by_another }
    expect(decide(input(read("PENDING"), facts, FORGOTTEN))).toEqual({ kind: "close" })
  })
})

describe("decide, the gateway does not know the link of an unpaid order", () => {
  const unknown = (hours: number): ReturnType<typeof failed> => failed("unknown_to_gateway", hours)
  const refused = failed("refused", 1)
  const over = { ...unpaidOrder, ...expiring(NOW) }

  it("expires it with its time once that has lasted an hour", () => {
    expect(decide(input(unknown(0.99), over))).toEqual({ kind: "retry" })
    expect(decide(input(unknown(1), over))).toEqual({ kind: "expire" })
  })

  it.each([
    ["its time is not over", unknown(1), { ...unpaidOrder, ...expiring(hoursAgo(-1)) }],
    ["it may stay unpaid for ever", unknown(1), unpaidOrder],
    ["another refusal says nothing about the link", refused, over],
    ["the order was paid another way", unknown(1), { ...over, paid_by_another: true }],
  ])("opens a case when %s", (_, reading, facts) => {
    expect(decide(input(reading, facts))).toEqual({ kind: "attention", reason: "gateway_refuses" })
  })

  it("does not trust that answer after a genuine notification has said PAID", () => {
    const told = input(unknown(1), over, { is_reported_paid: true })
    expect(decide(told)).toEqual({ kind: "attention", reason: "gateway_refuses" })
  })

  it("never expires what was PAID once", () => {
    expect(decide(input(unknown(1), over, { paid_at: hoursAgo(2) })).kind).not.toBe("expire")
  })

  it("closes the link of a cancelled order after that hour", () => {
    const facts = { ...unpaidOrder, order_canceled: true }
    expect(decide(input(unknown(1), facts))).toEqual({ kind: "close" })
    expect(decide(input(refused, facts))).toEqual({ kind: "attention", reason: "gateway_refuses" })
  })
})

describe("decide, an order that was placed unpaid", () => {
  it("waits for ever without a time", () => {
    expect(decide(input(read("UNPAID"), unpaidOrder))).toEqual({ kind: "wait" })
  })

  it("waits until its time is over", () => {
    const order = { ...unpaidOrder, ...expiring(hoursAgo(-1)) }
    expect(decide(input(read("UNPAID"), order))).toEqual({ kind: "wait" })
  })

  it("expires when its time is over", () => {
    expect(decide(input(read("UNPAID"), { ...unpaidOrder, ...expiring(NOW) }))).toEqual({
      kind: "expire",
    })
  })

  it.each(["PENDING", "UNKNOWN"] as const)("gets a day more when the gateway says %s", (status) => {
    const decideAt = (hours: number): string =>
      decide(input(read(status), { ...unpaidOrder, ...expiring(hoursAgo(hours)) })).kind
    expect([decideAt(23), decideAt(24)]).toEqual(["wait", "expire"])
  })

  it("gives a link of which a genuine notification says PAID as long, although the reads still say UNPAID", () => {
    const decideAt = (hours: number): string =>
      decide(
        input(read("UNPAID"), { ...unpaidOrder, ...expiring(hoursAgo(hours)) }, { is_reported_paid: true })
      ).kind
    expect([decideAt(0), decideAt(23), decideAt(24)]).toEqual(["wait", "wait", "expire"])
  })

  it.each([
    ["the gateway says PAID", read("PAID"), {}, "capture"],
    ["the gateway cannot be read", failed("unreadable", 0), {}, "retry"],
    ["the gateway refuses", failed("refused", 0), {}, "retry"],
    ["another payment has paid it", read("UNPAID"), { paid_by_another: true }, "withdraw"],
    [
      "it is cancelled already",
      read("UNPAID"),
      { ...unpaidOrder, order_canceled: true, ...expiring(NOW) },
      "withdraw",
    ],
  ])("is not cancelled when %s", (_, reading, changes, expected) => {
    const facts = { ...unpaidOrder, ...expiring(NOW), ...changes }
    expect(decide(input(reading, facts)).kind).toBe(expected)
  })

  it("is not cancelled when PAID was recorded before", () => {
    const facts = { ...unpaidOrder, ...expiring(NOW) }
    expect(decide(input(read("UNPAID"), facts, { paid_at: hoursAgo(1) })).kind).toBe("capture")
  })

  it("is not watched for ever once it is cancelled, though core keeps its session", () => {
    const order = { ...unpaidOrder, order_canceled: true }
    expect(decide(input(read("UNPAID"), order, FORGOTTEN))).toEqual({ kind: "close" })
  })
})

describe("decide, an order owes another amount than its link asks for", () => {
  it.each(["0", "10", "40.02"])(
    "waits for the link, which can still be paid (%s is owed)",
    (order_unpaid) => {
      expect(decide(input(read("UNPAID"), { ...placedOrder, order_unpaid }))).toEqual({ kind: "wait" })
    }
  )
})

describe("decide, gateway gives no answer to go by", () => {
  it.each(READ_FAILURES)("tries again when the reading has just begun to be %s", (failure) => {
    const order = { ...unpaidOrder, ...expiring(hoursAgo(-1)) }
    expect(decide(input({ failure }, order))).toEqual({ kind: "retry" })
  })

  it.each(["refused", "unknown_to_gateway"] as const)(
    "closes what the gateway has forgotten (%s) once nobody waits and the watch window is over",
    (failure) => {
      const reading = failed(failure, 5)
      expect(decide(input(reading, noSession, FORGOTTEN))).toEqual({ kind: "close" })
    }
  )

  it("closes the link of an abandoned cart that the gateway has forgotten, and of no order", () => {
    const lost = failed("unknown_to_gateway", 1)
    expect(decide(input(lost, {}, FORGOTTEN))).toEqual({ kind: "close" })
    expect(decide(input(failed("unknown_to_gateway", 0.9), {}, FORGOTTEN))).toEqual({ kind: "retry" })
    const refuses = { kind: "attention", reason: "gateway_refuses" }
    expect(decide(input(lost))).toEqual(refuses)
    expect(decide(input(failed("refused", 5), {}, FORGOTTEN))).toEqual(refuses)
    expect(decide(input(lost, placedOrder, FORGOTTEN))).toEqual(refuses)
  })

  describe("because its provider has another address now", () => {
    const late = { ...unpaidOrder, ...expiring(NOW) }
    const CLOSED = { state: "closed" } as const

    it("says of a payment that was notified of that it cannot be read: after an hour, or once its link is closed", () => {
      const at = (hours: number, row = {}) =>
        decide(input(failed("former_address", hours), late, { is_reported_paid: true, ...row }))
      expect(at(0.99)).toEqual({ kind: "retry" })
      expect(at(1)).toEqual({ kind: "attention", reason: "gateway_unreadable" })
      expect(at(0, CLOSED)).toEqual({ kind: "attention", reason: "gateway_unreadable" })
    })

    it("waits until the merchant has said whose address it is, and cancels nothing meanwhile", () => {
      expect(decide(input(failed("former_address", 48), late))).toEqual({ kind: "retry" })
    })

    it("leaves a closed link alone, also that of an unpaid order", () => {
      const of = (facts: object) => decide(input(failed("former_address", 0), facts, CLOSED))
      expect(of({})).toEqual({ kind: "close" })
      expect(of(late)).toEqual({ kind: "close" })
    })
  })

  it("names a provider that is not registered after an hour, and closes nothing of it", () => {
    const missing = { ...noSession, provider_missing: true }
    const at = (hours: number) => decide(input(failed("provider_missing", hours), missing, FORGOTTEN))
    expect(at(0.99)).toEqual({ kind: "retry" })
    expect(at(1)).toEqual({ kind: "attention", reason: "provider_missing" })
  })

  it.each([
    ["it only does not answer", "unreadable", {}],
    ["a notification said PAID", "refused", { is_reported_paid: true }],
    ["a notification said PAID of what it does not know", "unknown_to_gateway", { is_reported_paid: true }],
    ["a part had arrived", "refused", { paid_amount: "1" }],
    ["its last word may mean PAID", "refused", RENAMED],
    ["its last word may mean PAID, and it is not known any more", "unknown_to_gateway", RENAMED],
  ] as const)("closes nothing when %s", (_, failure, row) => {
    const reading = failed(failure, 0)
    expect(decide(input(reading, noSession, { ...FORGOTTEN, ...row }))).toEqual({ kind: "retry" })
  })

  it("forgets a word that only the answer to a creation gave", () => {
    const created = { ...FORGOTTEN, gateway_status: "CREATED" }
    expect(decide(input(failed("unknown_to_gateway", 1), noSession, created))).toEqual({ kind: "close" })
  })

  it("cancels an order whose payer has a word that may mean PAID a day later, also when it is not known any more", () => {
    const at = (hours: number) => ({ ...unpaidOrder, ...expiring(hoursAgo(hours)) })
    const of = (facts: object) => decide(input(failed("unknown_to_gateway", 1), facts, RENAMED))
    expect(of(at(23.9))).toEqual({ kind: "attention", reason: "gateway_refuses" })
    expect(of(at(24))).toEqual({ kind: "expire" })
    expect(of({ ...placedOrder, order_canceled: true })).toEqual({
      kind: "attention",
      reason: "gateway_refuses",
    })
  })

  it("goes by the PAID that was recorded, whatever failed later", () => {
    const paid = { ...FORGOTTEN, paid_at: hoursAgo(1) }
    expect(decide(input(failed("refused", 0), {}, paid))).toEqual({ kind: "capture" })
  })

  it("calls a gateway unreadable that has failed for a day, now in this way and now in that", () => {
    expect(decide(input(failed("refused", 0.5, hoursAgo(23.9))))).toEqual({ kind: "retry" })
    expect(decide(input(failed("refused", 0.5, hoursAgo(24))))).toEqual({
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
  ] as const)("%s for %d hours", (failure, hours, expected) => {
    expect(decide(input(failed(failure, hours)))).toEqual(expected)
  })
})
