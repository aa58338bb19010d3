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
