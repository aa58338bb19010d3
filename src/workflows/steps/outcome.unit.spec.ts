import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import { toOutcome } from "./outcome"

const NOW = new Date("2026-11-21T12:00:00Z")
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const at = (ms: number): Date => new Date(NOW.getTime() + ms)
const TTL = { now: NOW, unpaidOrderTtlMs: 3 * HOUR }

const row = (changes: Partial<CryptoPaymentRequestRow> = {}): CryptoPaymentRequestRow =>
  ({
    created_at: NOW,
    order_id: null,
    captured_at: null,
    settled_at: null,
    next_check_at: NOW,
    paid_at: null,
    last_webhook_at: null,
    failing_since: null,
    ...changes,
  }) as CryptoPaymentRequestRow

const facts = (changes: Partial<SettlementFacts> = {}): SettlementFacts =>
  ({
    order_id: null,
    order_canceled: false,
    order_expires_from: null,
    first_captured_at: null,
    session_created_at: null,
    ...changes,
  }) as SettlementFacts

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
    expect(toOutcome({ kind: "wait" }, asked, found, TTL)).toMatchObject({ mends: "gateway", next_check_at })
  })

  it("unpaid and awaited by nobody: looked at no more once the back-off has ended", () => {
    const old = row({ created_at: at(-100 * DAY) })
    expect(toOutcome({ kind: "close" }, old, facts(), TTL)).toMatchObject({ next_check_at: null })
  })

  it.each([
    ["of an order that expires sooner: when that is", {}, at(2 * HOUR)],
    ["of an order that has expired: by the back-off", { order_expires_from: at(-4 * HOUR) }, at(30 * DAY)],
    ["of a cancelled order: by the back-off", { order_canceled: true }, at(30 * DAY)],
    ["without an order: by the back-off", { order_id: null }, at(30 * DAY)],
  ])("the next check %s", (_, changes, next_check_at) => {
    const found = facts({ order_id: "order_1", order_expires_from: at(-HOUR), ...changes })
    expect(toOutcome({ kind: "wait" }, row({ created_at: at(-100 * DAY) }), found, TTL)).toMatchObject({
      next_check_at,
    })
  })

  it("not expiring at all: by the back-off", () => {
    const found = facts({ order_id: "order_1", order_expires_from: at(-HOUR) })
    const never = { now: NOW, unpaidOrderTtlMs: null }
    expect(toOutcome({ kind: "wait" }, row({ created_at: at(-100 * DAY) }), found, never)).toMatchObject({
      next_check_at: at(30 * DAY),
    })
  })

  it("done: captured when core says it first was, settled now, on its order, with no case left open", () => {
    const found = facts({ order_id: "order_1", first_captured_at: at(-MINUTE) })
    expect(toOutcome({ kind: "done" }, row({ paid_at: at(-MINUTE) }), found, TTL)).toEqual({
      state: "captured",
      order_id: "order_1",
      captured_at: at(-MINUTE),
      settled_at: NOW,
      mends: "all",
      next_check_at: null,
    })
  })

  it("done with something to tell: settled, and a case is opened rather than closed", () => {
    const outcome = toOutcome({ kind: "done", attention: "order_underpaid" }, row(), facts(), TTL)
    expect(outcome).toMatchObject({ settled_at: NOW, attention: "order_underpaid", next_check_at: null })
    expect(outcome).not.toHaveProperty("mends")
  })

  it("refunded: at its end, and keeps when it was captured", () => {
    const captured = row({ captured_at: at(-DAY), order_id: "order_1" })
    expect(toOutcome({ kind: "refunded" }, captured, facts(), TTL)).toEqual({
      state: "refunded",
      order_id: "order_1",
      captured_at: at(-DAY),
      settled_at: NOW,
      mends: "all",
      next_check_at: null,
    })
  })

  it("captured and not yet booked: confirmed in five seconds, not settled", () => {
    expect(toOutcome({ kind: "confirm" }, row(), facts(), TTL)).toMatchObject({
      state: "captured",
      captured_at: NOW,
      settled_at: null,
      next_check_at: at(5000),
    })
  })

  it.each([
    ["for less than two minutes: tried again", 2 * MINUTE - 1, undefined],
    ["for two minutes: tried again, and a person is told", 2 * MINUTE, "paid_without_order"],
  ])("paid and not captured %s", (_, age, attention) => {
    const outcome = toOutcome({ kind: "capture" }, row({ paid_at: at(-age) }), facts(), TTL)
    expect(outcome.attention).toBe(attention)
    expect(outcome.next_check_at?.getTime()).toBeGreaterThan(NOW.getTime())
    expect(outcome).not.toHaveProperty("state")
  })

  it("not read: asked again by the back-off since the failures began", () => {
    const failing = row({ created_at: at(-DAY), failing_since: NOW })
    expect(toOutcome({ kind: "retry" }, failing, facts(), TTL)).toMatchObject({ next_check_at: at(MINUTE) })
  })

  it.each(["gateway_refuses", "gateway_unreadable"] as const)("%s: asked again every hour", (reason) => {
    expect(toOutcome({ kind: "attention", reason }, row(), facts(), TTL)).toMatchObject({
      attention: reason,
      next_check_at: at(HOUR),
    })
  })

  it("paid without an order: captured, and tried again", () => {
    const decision = { kind: "attention", reason: "paid_without_order" } as const
    expect(toOutcome(decision, row({ paid_at: NOW }), facts(), TTL)).toMatchObject({
      state: "captured",
      attention: "paid_without_order",
      settled_at: null,
      next_check_at: at(MINUTE),
    })
  })

  it.each(["amount_mismatch", "orphan_paid", "duplicate_payment", "paid_on_canceled"] as const)(
    "%s: left to a person, and neither captured nor settled",
    (reason) => {
      expect(toOutcome({ kind: "attention", reason }, row({ paid_at: NOW }), facts(), TTL)).toEqual({
        order_id: null,
        captured_at: null,
        settled_at: null,
        attention: reason,
        next_check_at: null,
      })
    }
  )
})
