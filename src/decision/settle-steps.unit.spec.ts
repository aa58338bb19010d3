import { NOTHING_DONE } from "./decide-turn"
import type { DecidedFacts, DecidedRow } from "./decision-input"
import { afterAct, afterCheck, afterFacts, afterLease, type ActStep } from "./settle-steps"

const NOW = new Date("2026-11-22T12:00:00Z")
const POLICY = { unpaidOrderTtlMs: null, isAskedByPerson: false }

const ROW: DecidedRow = {
  amount: "20.01",
  currency_code: "usd",
  created_at: NOW,
  paid_at: NOW,
  gateway_status: "PAID",
  gateway_amount: "20.01",
  gateway_currency_symbol: "USD",
  failing_since: null,
  unread_since: null,
  state: "paid",
  order_id: null,
  captured_at: null,
  settled_at: null,
  last_webhook_at: null,
  notified_at: null,
  is_reported_paid: false,
  attention_reason: null,
  attention_resolved_at: null,
}

const UNCAPTURED: DecidedFacts = {
  database_now: NOW,
  session_amount: "20.01",
  session_currency_code: "usd",
  session_created_at: null,
  collection_amount: null,
  collection_captured: "0",
  collection_has_open_payment: false,
  rest_is_asked_for: false,
  cart_id: "cart_1",
  payment_id: null,
  payment_captured: "0",
  payment_refunded: "0",
  registered_refund: "0",
  order_id: null,
  order_canceled: false,
  order_deleted: false,
  order_booked: false,
  order_booked_amount: "0",
  order_unpaid: null,
  paid_by_another: false,
  provider_missing: false,
  paid_by_provider: null,
  adopting_collection_id: null,
  link_amount: null,
  order_expires_from: null,
  order_obstacle: null,
  is_newest_link: true,
  first_captured_at: null,
}

const CHECKED = { row: ROW, failure: null, done: NOTHING_DONE, acts: 0 }
const CAPTURING: ActStep<DecidedRow, DecidedFacts> = {
  ...CHECKED,
  wants: "lease",
  acts: 1,
  act: "capture",
  facts: UNCAPTURED,
}

describe("the steps of a settle", () => {
  it("reads Medusa once the gateway was read, with nothing done yet", () => {
    expect(afterCheck({ row: ROW, failure: "refused" })).toEqual({
      wants: "facts",
      row: ROW,
      failure: "refused",
      done: NOTHING_DONE,
      acts: 0,
    })
  })

  it("extends the lease before an act, and counts the act", () => {
    expect(afterFacts(CHECKED, UNCAPTURED, POLICY)).toEqual(CAPTURING)
  })

  it("acts on what was decided once the lease is extended", () => {
    expect(afterLease(CAPTURING)).toEqual({ ...CAPTURING, wants: "act" })
  })

  it("reads Medusa again after an act, and remembers what was done", () => {
    const done = { ...NOTHING_DONE, captures: 1 }
    expect(afterAct(CAPTURING, done)).toEqual({ wants: "facts", row: ROW, failure: null, done, acts: 1 })
  })

  it("ends when nothing is left to do, and dates that by the read it was decided on", () => {
    const canceled = { ...UNCAPTURED, order_id: "order_1", order_canceled: true }
    expect(afterFacts(CHECKED, canceled, POLICY)).toMatchObject({
      wants: "finish",
      row: ROW,
      outcome: { attention: "paid_on_canceled", nextCheckAt: null },
      decidedAt: NOW,
    })
  })

  it("begins a fifth act and no sixth", () => {
    expect(afterFacts({ ...CHECKED, acts: 4 }, UNCAPTURED, POLICY)).toMatchObject({ wants: "lease", acts: 5 })
    expect(afterFacts({ ...CHECKED, acts: 5 }, UNCAPTURED, POLICY)).toMatchObject({ wants: "finish" })
  })
})
