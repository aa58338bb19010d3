import { MOST_A_MINUTE, ReturnChecks } from "./return-checks"

describe("the checks that payers cause by returning", () => {
  let checks: ReturnChecks
  const makeDue = jest.fn<Promise<boolean>, []>()

  beforeEach(() => {
    jest.useFakeTimers()
    checks = new ReturnChecks()
    makeDue.mockReset().mockResolvedValue(true)
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const takeAll = async (count: number): Promise<boolean[]> =>
    await Promise.all(Array.from({ length: count }, async () => await checks.take(makeDue)))

  it("are so many a minute, also when all come at once", async () => {
    const taken = await takeAll(MOST_A_MINUTE + 5)
    expect(taken.filter((isDue) => isDue)).toHaveLength(MOST_A_MINUTE)
    expect(makeDue).toHaveBeenCalledTimes(MOST_A_MINUTE)
  })

  it("are possible again a minute later", async () => {
    await takeAll(MOST_A_MINUTE)
    jest.advanceTimersByTime(59_999)
    await expect(checks.take(makeDue)).resolves.toBe(false)
    jest.advanceTimersByTime(1)
    await expect(checks.take(makeDue)).resolves.toBe(true)
  })

  it("are not counted when the row was checked a moment ago", async () => {
    makeDue.mockResolvedValue(false)
    await takeAll(MOST_A_MINUTE)
    makeDue.mockResolvedValue(true)
    await expect(checks.take(makeDue)).resolves.toBe(true)
  })

  it("are counted when the database does not answer", async () => {
    makeDue.mockRejectedValue(new Error("connection lost"))
    await Promise.allSettled(Array.from({ length: MOST_A_MINUTE }, async () => await checks.take(makeDue)))
    makeDue.mockResolvedValue(true)
    await expect(checks.take(makeDue)).resolves.toBe(false)
  })
})
