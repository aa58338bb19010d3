import { recordedStatus } from "./decision-input"
import { toSessionStatus, toWaitingAction } from "./translate-status"

describe("toSessionStatus", () => {
  it.each([
    ["PAID", "captured"],
    ["PENDING", "pending"],
    ["UNPAID", "requires_more"],
    ["UNKNOWN", "requires_more"],
  ] as const)("%s is %s", (status, expected) => {
    expect(toSessionStatus(status)).toBe(expected)
  })
})

describe("toWaitingAction", () => {
  it.each([
    ["PAID", "pending"],
    ["PENDING", "pending"],
    ["UNPAID", "requires_more"],
    ["UNKNOWN", "requires_more"],
  ] as const)("%s is %s, on which core does not act", (status, expected) => {
    expect(toWaitingAction(status)).toBe(expected)
  })
})

describe("recordedStatus", () => {
  it("is PAID once PAID was recorded, whatever was read later", () => {
    expect(recordedStatus({ paid_at: new Date(), gateway_status: "UNPAID" })).toBe("PAID")
  })

  it("does not take the word PAID without its record", () => {
    expect(recordedStatus({ paid_at: null, gateway_status: "PAID" })).toBe("UNKNOWN")
  })

  it.each([["REFUNDED"], [null]])("takes %p as unknown", (word) => {
    expect(recordedStatus({ paid_at: null, gateway_status: word })).toBe("UNKNOWN")
  })
})
