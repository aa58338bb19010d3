import { isRetryableStatus, waitBeforeRetryMs } from "./transport"

describe("isRetryableStatus", () => {
  it.each([408, 429, 500, 501, 502, 503, 504, 599])("takes %i as not now", (status) => {
    expect(isRetryableStatus(status)).toBe(true)
  })

  it.each([200, 302, 400, 401, 403, 404, 409, 425, 428, 499])("takes %i as an answer", (status) => {
    expect(isRetryableStatus(status)).toBe(false)
  })
})

describe("waitBeforeRetryMs", () => {
  const NOW = Date.parse("2026-11-25T12:00:00Z")

  beforeEach(() => {
    jest.spyOn(Date, "now").mockReturnValue(NOW)
    jest.spyOn(Math, "random").mockReturnValue(0)
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  it.each([
    [1, 0, 100],
    [1, 0.5, 150],
    [1, 1, 200],
    [2, 0, 200],
    [2, 0.5, 300],
    [2, 1, 400],
  ])("after %i attempts waits, with the chance %d, %d ms", (failedAttempts, chance, ms) => {
    jest.spyOn(Math, "random").mockReturnValue(chance)
    expect(waitBeforeRetryMs(failedAttempts)).toBe(ms)
  })

  it.each<[string, string | string[] | undefined, number]>([
    ["seconds", "7", 7000],
    ["seconds with spaces around them", " 7 ", 7000],
    ["more than nine seconds", "12", 12_000],
    ["a date", "Wed, 25 Nov 2026 12:00:09 GMT", 9000],
    ["a date without its weekday", "25 Nov 2026 12:00:09 GMT", 9000],
    ["a header that came twice: the first counts", ["7", "1"], 7000],
    ["nothing", undefined, 100],
    ["no text", "", 100],
    ["an empty list", [], 100],
    ["no seconds", "0", 100],
    ["less than nothing", "-5", 100],
    ["a word", "soon", 100],
    ["a date that is over", "Wed, 25 Nov 2026 11:59:59 GMT", 100],
  ])("reads Retry-After as %s", (_what, header, ms) => {
    expect(waitBeforeRetryMs(1, header)).toBe(ms)
  })
})
