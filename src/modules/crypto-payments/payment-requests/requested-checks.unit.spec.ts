import { ChecksAMinute } from "./requested-checks"

const MOST_A_MINUTE = 60

describe("the checks of the gateway that requests cause", () => {
  let checks: ChecksAMinute
  const isNeeded = jest.fn<Promise<boolean>, []>()

  beforeEach(() => {
    jest.useFakeTimers()
    checks = new ChecksAMinute(MOST_A_MINUTE)
    isNeeded.mockReset().mockResolvedValue(true)
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const takeAll = async (count: number): Promise<boolean[]> =>
    await Promise.all(Array.from({ length: count }, async () => await checks.take(isNeeded)))

  it("are so many a minute, also when all come at once", async () => {
    const taken = await takeAll(MOST_A_MINUTE + 5)
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(MOST_A_MINUTE)
    expect(isNeeded).toHaveBeenCalledTimes(MOST_A_MINUTE)
  })

  it("are possible again a minute later", async () => {
    await takeAll(MOST_A_MINUTE)
    jest.advanceTimersByTime(59_999)
    await expect(checks.take(isNeeded)).resolves.toBe(false)
    jest.advanceTimersByTime(1)
    await expect(checks.take(isNeeded)).resolves.toBe(true)
  })

  it("are not counted when none is needed", async () => {
    isNeeded.mockResolvedValue(false)
    await takeAll(MOST_A_MINUTE)
    isNeeded.mockResolvedValue(true)
    await expect(checks.take(isNeeded)).resolves.toBe(true)
  })

  it("are counted when the database does not answer", async () => {
    isNeeded.mockRejectedValue(new Error("connection lost"))
    await Promise.allSettled(Array.from({ length: MOST_A_MINUTE }, async () => await checks.take(isNeeded)))
    isNeeded.mockResolvedValue(true)
    await expect(checks.take(isNeeded)).resolves.toBe(false)
  })
})
