import { OPEN_ROW } from "./example-row.spec"
import { isResolvedByAdmin, isSettlingStuck } from "./attention"

const NOW = new Date()
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 60 * 60_000)
const paid = { ...OPEN_ROW, settles_begun: 11, paid_at: NOW, state: "paid" as const }

it("is left to a person once the case of received money is closed", () => {
  const closed = { ...paid, attention_since: NOW, attention_resolved_at: NOW }
  expect(isResolvedByAdmin(closed)).toBe(true)
  expect(isResolvedByAdmin({ ...closed, attention_since: null })).toBe(true)
  expect(isResolvedByAdmin({ ...closed, attention_since: hoursAgo(1) })).toBe(false)
  expect(isResolvedByAdmin({ ...closed, attention_since: null, attention_resolved_at: hoursAgo(1) })).toBe(
    false
  )
  expect(isResolvedByAdmin({ ...closed, attention_resolved_at: null })).toBe(false)
  expect(isResolvedByAdmin({ ...closed, paid_at: null })).toBe(false)
})

describe("a payment whose settles begin and never end", () => {
  it.each(["open", "paid", "captured"] as const)("is told after ten while it is %s", (state) => {
    expect(isSettlingStuck({ ...paid, state, settles_begun: 10 }, NOW)).toBe(false)
    expect(isSettlingStuck({ ...paid, state }, NOW)).toBe(true)
  })

  it("is told after three once it was paid an hour ago", () => {
    const slow = { ...paid, settles_begun: 4 }
    expect(isSettlingStuck({ ...slow, paid_at: hoursAgo(1) }, NOW)).toBe(true)
    expect(isSettlingStuck({ ...slow, paid_at: hoursAgo(0.99) }, NOW)).toBe(false)
    expect(isSettlingStuck({ ...slow, paid_at: hoursAgo(1), settles_begun: 3 }, NOW)).toBe(false)
    expect(isSettlingStuck({ ...slow, paid_at: null, state: "open" }, NOW)).toBe(false)
  })

  it.each([
    "order_not_canceled",
    "provider_missing",
    "gateway_refuses",
    "gateway_unreadable",
    "settle_fails",
  ])("is told though there was the case %s before it was paid", (attention_reason) => {
    const before = { ...paid, attention_reason, attention_since: hoursAgo(1) }
    expect(isSettlingStuck(before, NOW)).toBe(true)
    expect(isSettlingStuck({ ...before, attention_since: NOW }, NOW)).toBe(false)
    expect(isSettlingStuck({ ...before, paid_at: null, state: "open" }, NOW)).toBe(false)
  })

  it.each([
    ["sent back", { state: "refunded" as const }],
    ["told of as an orphan", { attention_reason: "orphan_paid" }],
    ["told of already", { attention_reason: "settle_fails", attention_since: NOW }],
  ])("has no other case when it is %s", (_, change) => {
    expect(isSettlingStuck({ ...paid, ...change }, NOW)).toBe(false)
  })
})
