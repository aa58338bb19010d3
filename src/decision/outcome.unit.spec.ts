import type { Decision } from "./decide"
import type { DecidedFacts, DecidedRow } from "./facts"
import { NO_FACTS, NOW, OPEN_ROW } from "./example-row.spec"
import { changesNothing, toOutcome, type Outcome } from "./outcome"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const at = (ms: number): Date => new Date(NOW.getTime() + ms)

const row = (changes: Partial<DecidedRow> = {}): DecidedRow => ({ ...OPEN_ROW, ...changes })
const facts = (changes: Partial<DecidedFacts> = {}): DecidedFacts => ({ ...NO_FACTS, ...changes })
const written = (decision: Decision, of: DecidedRow, found: DecidedFacts): Outcome =>
  toOutcome(decision, { row: of, facts: found, isAskedByAdmin: false })

describe("what is written down for a decision", () => {
  it.each([
    ["since the link was made", row({ created_at: at(-HOUR) }), facts(), at(18 * MINUTE)],
    ["since it was notified of", row({ created_at: at(-HOUR), last_webhook_at: NOW }), facts(), at(MINUTE)],
    [
      "since it was offered again",
      row({ created_at: at(-DAY) }),
      facts({ session_created_at: NOW }),
      at(MINUTE),
    ],
    [
      "for ever, once a month, while somebody waits",
      row({ created_at: at(-100 * DAY) }),
      facts(),
      at(30 * DAY),
    ],
  ])("unpaid and awaited: checked again by the back-off %s", (_, asked, found, next_check_at) => {
    expect(written({ kind: "wait" }, asked, found)).toMatchObject({
      endsCases: "unpaid",
      nextCheckAt: next_check_at,
    })
  })

  it("unpaid and awaited by nobody: looked at no more once the back-off has ended", () => {
    const old = row({ created_at: at(-100 * DAY) })
    expect(written({ kind: "close" }, old, facts())).toMatchObject({ nextCheckAt: null })
  })

  it.each([
    ["of an order that expires sooner: when that is", {}, at(2 * HOUR)],
    [
      "of an order that has expired: when a payment holds it no longer",
      { order_expires_at: at(-HOUR) },
      at(23 * HOUR),
    ],
    [
      "of an order that has long expired: by the back-off",
      { order_expires_at: at(-25 * HOUR) },
      at(30 * DAY),
    ],
    ["of a cancelled order: by the back-off", { order_canceled: true }, at(30 * DAY)],
    ["without an order: by the back-off", { order_id: null }, at(30 * DAY)],
    ["not expiring at all: by the back-off", { order_expires_at: null }, at(30 * DAY)],
  ])("the next check %s", (_, changes, next_check_at) => {
    const found = facts({ order_id: "order_1", order_expires_at: at(2 * HOUR), ...changes })
    expect(written({ kind: "wait" }, row({ created_at: at(-100 * DAY) }), found)).toMatchObject({
      nextCheckAt: next_check_at,
    })
  })

  it.each([
    ["an open link is withdrawn, and watched on", "open", "link_withdrawn"],
    ["a link that was replaced before is watched on", "superseded", undefined],
  ] as const)("paid another way: %s", (_, state, cause) => {
    const outcome = written({ kind: "withdraw" }, row({ state }), facts())
    expect([outcome.cause, outcome.endsCases, outcome.nextCheckAt]).toEqual([cause, "unpaid", at(MINUTE)])
  })

  it("a withdrawn link says that its order was paid another way", () => {
    const outcome = written({ kind: "withdraw" }, row({ state: "open" }), facts({ paid_by_another: true }))
    expect(outcome.detail).toEqual({ reason: "paid_another_way" })
  })

  it.each([{ order_canceled: true }, { order_id: null, order_deleted: true }])(
    "a withdrawn link names no reason when its order is over: %j",
    (found) => {
      const outcome = written({ kind: "withdraw" }, row({ state: "open" }), facts(found))
      expect([outcome.cause, outcome.detail]).toEqual(["link_withdrawn", {}])
    }
  )

  it.each([
    ["order_underpaid", "10.00", "10.00"],
    ["order_overpaid", "-7.005", "7.01"],
    ["duplicate_payment", "-20.01", "20.01"],
    ["order_underpaid", null, "0.00"],
  ] as const)("a case of %s says how much, of an order that owes %s", (attention, order_unpaid, amount) => {
    const outcome = written({ kind: "done", attention }, row(), facts({ order_unpaid }))
    expect(outcome).toMatchObject({ attention, attentionAmount: amount })
  })

  it("a case of money that is not captured has no amount", () => {
    const decision = { kind: "attention", reason: "duplicate_payment" } as const
    expect(written(decision, row({ paid_at: NOW }), facts({ order_unpaid: "0" }))).not.toHaveProperty(
      "attentionAmount"
    )
  })

  it("money whose session is gone is tried again by the ladder, and is a case after two minutes", () => {
    const paid = (minutes: number) => row({ state: "paid", paid_at: at(-minutes * MINUTE) })
    const adopted = (minutes: number) => written({ kind: "adopt" }, paid(minutes), facts())
    expect(adopted(1)).toMatchObject({ nextCheckAt: at(2 * MINUTE), settledAt: null })
    expect(adopted(1)).not.toHaveProperty("attention")
    expect(adopted(2)).toMatchObject({ nextCheckAt: at(MINUTE), attention: "orphan_paid" })
  })

  it.each(["adopt", "capture"] as const)(
    "%s: money that was received days or months ago is tried again within an hour",
    (kind) => {
      for (const age of [3 * DAY, 100 * DAY]) {
        const outcome = written({ kind }, row({ state: "paid", paid_at: at(-age) }), facts())
        expect(outcome.nextCheckAt).toEqual(at(HOUR))
      }
    }
  )

  it("money that has its session again is settled at once, without a case", () => {
    const paid = row({ state: "paid", paid_at: at(-HOUR) })
    const outcome = written({ kind: "adopt" }, paid, facts({ session_amount: "20.01" }))
    expect(outcome).toMatchObject({ nextCheckAt: NOW, settledAt: null })
    expect(outcome).not.toHaveProperty("attention")
  })

  it("done: captured when core says it first was, settled now, on its order, with no case left open", () => {
    const found = facts({ order_id: "order_1", first_captured_at: at(-MINUTE), other_payments: "5.00" })
    expect(written({ kind: "done" }, row({ paid_at: at(-MINUTE) }), found)).toEqual({
      cause: "captured",
      orderId: "order_1",
      capturedAt: at(-MINUTE),
      settledAt: NOW,
      otherPayments: "5.00",
      endsCases: "all",
      nextCheckAt: null,
    })
  })

  it("done with something to tell: settled, and a case is opened rather than closed", () => {
    const outcome = written({ kind: "done", attention: "order_underpaid" }, row(), facts())
    expect(outcome).toMatchObject({ settledAt: NOW, attention: "order_underpaid", nextCheckAt: null })
    expect(outcome).not.toHaveProperty("endsCases")
  })

  it("refunded: at its end, and keeps when it was captured", () => {
    const captured = row({ captured_at: at(-DAY), order_id: "order_1" })
    expect(written({ kind: "refunded" }, captured, facts())).toEqual({
      cause: "refunded",
      orderId: "order_1",
      capturedAt: at(-DAY),
      settledAt: NOW,
      endsCases: "all",
      nextCheckAt: null,
    })
  })

  it("refunded before it was captured: has no date of a capture", () => {
    expect(written({ kind: "refunded" }, row(), facts())).toMatchObject({
      cause: "refunded",
      capturedAt: null,
    })
  })

  it("captured and not yet booked: confirmed in five seconds, not settled", () => {
    expect(written({ kind: "confirm" }, row(), facts())).toMatchObject({
      cause: "captured",
      capturedAt: NOW,
      settledAt: null,
      nextCheckAt: at(5000),
    })
  })

  it.each([
    ["for less than an hour", at(1 - HOUR), null, undefined, at(5000)],
    ["for an hour", at(-HOUR), null, "settle_fails", at(10 * MINUTE)],
    ["and settled before", at(-HOUR), at(-MINUTE), undefined, at(5000)],
  ])("captured and not booked %s", (_, first_captured_at, settled_at, attention, nextCheckAt) => {
    const paid = row({ paid_at: at(-DAY), settled_at })
    const outcome = written({ kind: "confirm" }, paid, facts({ first_captured_at }))
    expect([outcome.attention, outcome.nextCheckAt]).toEqual([attention, nextCheckAt])
  })

  it.each([
    ["for less than two minutes: tried again", 2 * MINUTE - 1, undefined],
    ["for two minutes: tried again, with a case", 2 * MINUTE, "paid_without_order"],
  ])("paid and not captured %s", (_, age, attention) => {
    const outcome = written({ kind: "capture" }, row({ paid_at: at(-age) }), facts())
    expect(outcome.attention).toBe(attention)
    expect(outcome.nextCheckAt?.getTime()).toBeGreaterThan(NOW.getTime())
    expect(outcome).not.toHaveProperty("cause")
  })

  it("not read: asked again by the back-off since the failures began", () => {
    const failing = row({ created_at: at(-DAY), failing_since: NOW })
    expect(written({ kind: "retry" }, failing, facts())).toMatchObject({ nextCheckAt: at(MINUTE) })
  })

  it("not answered for months: looked at every month", () => {
    const failing = row({ created_at: at(-200 * DAY), failing_since: at(-200 * DAY) })
    expect(written({ kind: "retry" }, failing, facts())).toMatchObject({ nextCheckAt: at(30 * DAY) })
  })

  it.each(["gateway_refuses", "gateway_unreadable"] as const)("%s: asked again every hour", (reason) => {
    expect(written({ kind: "attention", reason }, row(), facts())).toMatchObject({
      attention: reason,
      nextCheckAt: at(HOUR),
    })
  })

  it("paid without an order: captured, and tried again", () => {
    const decision = { kind: "attention", reason: "paid_without_order" } as const
    expect(written(decision, row({ paid_at: NOW }), facts())).toMatchObject({
      cause: "captured",
      attention: "paid_without_order",
      settledAt: null,
      nextCheckAt: at(MINUTE),
    })
  })

  it.each<[string, Decision]>([
    ["captured", { kind: "attention", reason: "paid_without_order" }],
    ["not captured", { kind: "capture" }],
  ])(
    "paid without an order, %s: a closed case is opened again by a check that staff asked for",
    (_, decision) => {
      const closed = row({
        paid_at: at(-HOUR),
        attention_reason: "paid_without_order",
        attention_resolved_at: at(-MINUTE),
      })
      expect(written(decision, closed, facts())).not.toHaveProperty("reopens")
      const asked = toOutcome(decision, { row: closed, facts: facts(), isAskedByAdmin: true })
      expect(asked).toMatchObject({ attention: "paid_without_order", reopens: true })
    }
  )

  it.each(["amount_mismatch", "orphan_paid", "duplicate_payment", "paid_on_canceled"] as const)(
    "%s: a case, and neither captured nor settled",
    (reason) => {
      expect(written({ kind: "attention", reason }, row({ paid_at: NOW }), facts())).toEqual({
        orderId: null,
        capturedAt: null,
        settledAt: null,
        attention: reason,
        nextCheckAt: null,
      })
    }
  )

  describe("after a notification that reported PAID, which the read does not show", () => {
    const notified = (secondsAgo: number): DecidedRow =>
      row({ created_at: at(-DAY), notified_at: at(-secondsAgo * 1000), is_reported_paid: true })

    it.each([
      [0, 2],
      [2, 5],
      [5, 10],
      [11, 20],
      [20, 40],
    ])("%i seconds ago: read again %i seconds after it", (secondsAgo, next) => {
      const nextCheckAt = at((next - secondsAgo) * 1000)
      expect(written({ kind: "wait" }, notified(secondsAgo), facts()).nextCheckAt).toEqual(nextCheckAt)
      expect(written({ kind: "close" }, notified(secondsAgo), facts()).nextCheckAt).toEqual(nextCheckAt)
      expect(written({ kind: "retry" }, notified(secondsAgo), facts()).nextCheckAt).toEqual(nextCheckAt)
    })

    it("40 seconds ago: read again by the ordinary ladder", () => {
      const next = written({ kind: "wait" }, notified(40), facts()).nextCheckAt
      expect(next).toEqual(at(20_000))
    })
  })

  it("closed: given up, unless it is closed or paid already", () => {
    const causeOf = (changes: Partial<DecidedRow>): unknown =>
      written({ kind: "close" }, row(changes), facts()).cause
    expect([causeOf({}), causeOf({ state: "superseded" })]).toEqual(["given_up", "given_up"])
    expect([causeOf({ state: "closed" }), causeOf({ state: "paid", paid_at: NOW })]).toEqual([
      undefined,
      undefined,
    ])
  })

  it("looked at again and still done: keeps when it was settled", () => {
    const settled = row({ settled_at: at(-DAY), captured_at: at(-DAY) })
    expect(written({ kind: "done" }, settled, facts()).settledAt).toEqual(at(-DAY))
  })

  it("settled, and no longer right: not settled any more", () => {
    const settled = row({ settled_at: at(-DAY), captured_at: at(-DAY), paid_at: at(-DAY) })
    const decision = { kind: "attention", reason: "paid_on_canceled" } as const
    expect(written(decision, settled, facts())).toMatchObject({
      settledAt: null,
      attention: "paid_on_canceled",
    })
  })

  describe("of a link whose payer is to be reminded", () => {
    const asked = row({ gateway_status: "UNPAID", gateway_amount: "20.01", remind_at: NOW })
    const awaited = facts({ session_amount: "20.01" })
    const reminds = (of: Partial<DecidedRow>, found: Partial<DecidedFacts> = {}): unknown =>
      written({ kind: "wait" }, { ...asked, ...of }, { ...awaited, ...found }).reminds

    it("reminds when its time is over, which is not nothing", () => {
      const outcome = written({ kind: "wait" }, asked, awaited)
      expect([outcome.reminds, changesNothing(outcome, asked)]).toEqual([true, false])
    })

    it("is checked at that time, however late the next step of the ladder is", () => {
      const later = { ...asked, created_at: at(-100 * DAY), remind_at: at(HOUR) }
      const outcome = written({ kind: "wait" }, later, awaited)
      expect([outcome.reminds, outcome.nextCheckAt]).toEqual([undefined, at(HOUR)])
    })

    it.each<[string, Partial<DecidedRow>, Partial<DecidedFacts>]>([
      ["was reminded, or is never to be", { remind_at: null }, {}],
      ["is paying", { gateway_status: "PENDING" }, {}],
      ["has paid a part", { paid_amount: "0.1" }, {}],
      ["cannot pay by it any more", { gateway_status: "EXPIRED" }, {}],
      ["was never read", { gateway_status: null }, {}],
      ["is said to have paid", { is_reported_paid: true }, {}],
      ["has another link", { state: "superseded" }, {}],
      ["has no session any more", {}, { session_amount: null }],
      ["is paying another way", {}, { is_other_payment_begun: true }],
      ["has paid another way", {}, { paid_by_another: true }],
    ])("reminds nobody who %s", (_, of, found) => {
      expect(reminds(of, found)).toBeUndefined()
    })

    it.each(["withdraw", "close", "expire", "retry"] as const)(
      "reminds nobody when it ends in %s",
      (kind) => {
        expect(written({ kind }, asked, awaited).reminds).toBeUndefined()
      }
    )
  })

  it("paid in part: looked at at least hourly until the case is closed, and that ends when PAID is reported", () => {
    const decision = { kind: "attention", reason: "partly_paid" } as const
    const open = row({ paid_amount: "0.1", created_at: at(-100 * DAY), attention_reason: "partly_paid" })
    expect(written(decision, open, facts()).nextCheckAt).toEqual(at(HOUR))
    const part = { ...open, attention_resolved_at: at(-HOUR) }
    const outcome = written(decision, part, facts())
    expect([outcome.nextCheckAt, outcome.reopens]).toEqual([at(30 * DAY), undefined])
    const reported = { ...part, is_reported_paid: true, notified_at: at(-HOUR / 2) }
    expect(written(decision, reported, facts()).reopens).toBe(true)
    const renamed = { ...part, gateway_status: "COMPLETED", gateway_amount: "20.01" }
    const since = (ms: number) => written(decision, { ...renamed, status_since: at(ms) }, facts()).reopens
    expect([since(-2 * HOUR), since(-HOUR / 2)]).toEqual([undefined, true])
  })

  it("a part that is being confirmed: looked at when it becomes a case, however old the link is", () => {
    const part = row({ paid_amount: "0.1", created_at: at(-100 * DAY), status_since: at(-HOUR / 2) })
    expect(written({ kind: "wait" }, part, facts()).nextCheckAt).toEqual(at(HOUR / 2))
  })

  it.each(["wait", "withdraw"] as const)(
    "a word that may mean PAID: looked at when it becomes a case, however old the link is (%s)",
    (kind) => {
      const renamed = row({
        ...{
          created_at: at(-100 * DAY),
          state: "closed",
          gateway_status: "COMPLETED",
          gateway_amount: "20.01",
        },
        status_since: at(-HOUR / 2),
      })
      expect(written({ kind }, renamed, facts()).nextCheckAt).toEqual(at(HOUR / 2))
      const denied = { ...renamed, denied_at: NOW }
      expect(written({ kind: "withdraw" }, denied, facts()).nextCheckAt).toBeNull()
      const fresh = { ...renamed, created_at: at(-2 * MINUTE), status_since: NOW }
      expect(written({ kind }, fresh, facts()).nextCheckAt).toEqual(at(MINUTE))
    }
  )

  it("of another account: looked at as rarely as any other closed link", () => {
    const decision = { kind: "attention", reason: "gateway_unreadable" } as const
    const of = row({ created_at: at(-100 * DAY), failure: "former_address", state: "closed" })
    expect(written(decision, of, facts()).nextCheckAt).toBeNull()
    expect(written(decision, { ...of, state: "superseded" }, facts()).nextCheckAt).toEqual(at(HOUR))
  })

  describe("of an unpaid row", () => {
    const unchanged = (changed: Partial<DecidedRow> = {}): boolean =>
      changesNothing(written({ kind: "wait" }, row(), facts()), row(changed))

    it("changes nothing when only the next check is new", () => {
      expect(unchanged()).toBe(true)
    })

    it.each<[string, Partial<DecidedRow>]>([
      ["a case may be over", { attention_reason: "order_not_canceled" }],
      ["the order is new to the row", { order_id: "order_9" }],
    ])("changes something when %s", (_, changed) => {
      expect(unchanged(changed)).toBe(false)
    })

    it.each<[string, Partial<Outcome>]>([
      ["closes the link", { cause: "given_up" }],
      ["opens a case", { attention: "gateway_unreadable" }],
      ["settles", { settledAt: NOW }],
      ["captures", { capturedAt: NOW }],
    ])("changes something when it %s", (_, changes) => {
      const outcome = { ...written({ kind: "wait" }, row(), facts()), ...changes }
      expect(changesNothing(outcome, row())).toBe(false)
    })
  })
})
