import { caseOfFailedSettles } from "./attention"

const MINUTE_MS = 60_000
const paid = { paid_at: new Date(0), settled_at: null, state: "paid", attention_reason: null }

describe("a payment whose settles fail", () => {
  it.each(["paid", "captured"])("is told after ten minutes while it is %s", (state) => {
    expect(caseOfFailedSettles({ ...paid, state }, 10 * MINUTE_MS - 1)).toBeNull()
    expect(caseOfFailedSettles({ ...paid, state }, 10 * MINUTE_MS)).toBe("paid_without_order")
  })

  it.each([
    "order_not_canceled",
    "link_not_replaced",
    "provider_missing",
    "gateway_refuses",
    "gateway_unreadable",
  ])("is told though there was the case %s of its link", (attention_reason) => {
    expect(caseOfFailedSettles({ ...paid, attention_reason }, 10 * MINUTE_MS)).toBe("paid_without_order")
  })

  it.each([
    ["not paid", { paid_at: null, state: "open" }],
    ["settled before", { state: "captured", settled_at: new Date(0) }],
    ["sent back", { state: "refunded" }],
    ["told of as an orphan", { attention_reason: "orphan_paid" }],
    ["told of as paid without an order", { attention_reason: "paid_without_order" }],
  ])("has no other case when it is %s", (_, change) => {
    expect(caseOfFailedSettles({ ...paid, ...change }, 10 * MINUTE_MS)).toBeNull()
  })
})
