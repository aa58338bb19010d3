import { TookTooLong, waitAtMost } from "./waiting"

describe("waitAtMost", () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it("gives what the work gives, and leaves no timer behind", async () => {
    expect(await waitAtMost(1000, Promise.resolve("done"))).toBe("done")
    expect(jest.getTimerCount()).toBe(0)
  })

  it("fails as the work fails", async () => {
    await expect(waitAtMost(1000, Promise.reject(new Error("broken")))).rejects.toThrow("broken")
    expect(jest.getTimerCount()).toBe(0)
  })

  it("gives up on work that never ends", async () => {
    const waiting = expect(waitAtMost(1000, new Promise(() => undefined))).rejects.toBeInstanceOf(TookTooLong)
    jest.advanceTimersByTime(1000)
    await waiting
  })
})
