import { isPaused, refuseWhilePaused } from "./paused"

const { env } = process
afterEach(() => {
  process.env = env
})

describe("a store is paused", () => {
  it.each([
    [undefined, false],
    ["", false],
    [" ", false],
    ["false", false],
    ["FALSE", false],
    ["0", false],
    ["true", true],
    ["1", true],
    // A merchant who writes this believes that nothing is captured.
    ["yes", true],
    ["ture", true],
  ])("by CRYPTO_PAYMENTS_PAUSED=%s: %s", (value, expected) => {
    process.env = { ...env, CRYPTO_PAYMENTS_PAUSED: value }
    expect(isPaused()).toBe(expected)
  })

  it("and says so with a stable code", () => {
    process.env = { ...env, CRYPTO_PAYMENTS_PAUSED: "true" }
    expect(refuseWhilePaused).toThrow(expect.objectContaining({ type: "not_allowed", code: "paused" }))
    process.env = env
    expect(refuseWhilePaused).not.toThrow()
  })
})
