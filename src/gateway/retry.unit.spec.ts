import { StatusFailure } from "./errors/to-gateway-error"
import { isRetryableStatus, retryAfterMs, retryOptions } from "./retry"

const NOW = Date.parse("2026-11-21T12:00:00Z")

beforeEach(() => {
  jest.useFakeTimers({ now: NOW })
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

it.each([
  [407, false],
  [408, true],
  [409, false],
  [428, false],
  [429, true],
  [499, false],
  [500, true],
  [599, true],
])("takes the status %i for one that passes: %p", (status, isRetryable) => {
  expect(isRetryableStatus(status)).toBe(isRetryable)
})

it.each<[string | string[] | undefined, number]>([
  ["2", 2000],
  [" 10 ", 10_000],
  [["3", "5"], 3000],
  ["Sat, 21 Nov 2026 12:00:07 GMT", 7000],
  ["Sat, 21 Nov 2026 11:59:59 GMT", 0],
  ["1 day", 0],
  ["day 1", 0],
  ["-5", 0],
  ["", 0],
  [[], 0],
  [undefined, 0],
])("reads Retry-After %j as %i ms", (header, ms) => {
  expect(retryAfterMs(header)).toBe(ms)
})

describe("after a failed attempt", () => {
  /** Asks what is next. @returns the milliseconds until the next attempt, or "given up" */
  function next(
    error: Error,
    { attempt = 1, remainingMs = 60_000, random = 0, mayRepeat = true } = {}
  ): number | "given up" {
    jest.spyOn(Math, "random").mockReturnValue(random)
    const done = jest.fn()
    const { retry } = retryOptions(
      () => remainingMs,
      () => mayRepeat
    )
    retry?.(error, { state: { counter: attempt }, opts: {} } as never, done)
    if (done.mock.calls.length > 0) {
      expect(done).toHaveBeenCalledWith(error)
      return "given up"
    }
    const startedAt = Date.now()
    jest.advanceTimersToNextTimer()
    expect(done).toHaveBeenCalledWith(null)
    return Date.now() - startedAt
  }
  const broken = (code: string): Error => Object.assign(new Error("broken"), { code })

  it.each([
    "broken_off",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "EHOSTDOWN",
    "EHOSTUNREACH",
    "ENETDOWN",
    "ENETUNREACH",
    "ENOTFOUND",
    "EPIPE",
    "ETIMEDOUT",
    "UND_ERR_BODY_TIMEOUT",
    "UND_ERR_CONNECT_TIMEOUT",
    "UND_ERR_HEADERS_TIMEOUT",
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    "UND_ERR_SOCKET",
  ])("it is tried again on %s", (code) => {
    expect(next(broken(code))).toBe(100)
  })

  it.each(["CERT_HAS_EXPIRED", "UND_ERR_RES_EXCEEDED_MAX_SIZE", "UND_ERR_ABORTED", "protocol_error", ""])(
    "it is given up on %p, which the next attempt would meet again",
    (code) => {
      expect(next(broken(code))).toBe("given up")
    }
  )

  it.each([
    [1, 0, 100],
    [1, 0.5, 150],
    [1, 1, 200],
    [2, 0, 200],
    [2, 1, 400],
  ])("number %i, at the chance of %d, the next waits %i ms", (attempt, random, waitMs) => {
    expect(next(new StatusFailure(503, 0), { attempt, random })).toBe(waitMs)
  })

  it("is given up when it may not be repeated", () => {
    expect(next(broken("ECONNRESET"), { mayRepeat: false })).toBe("given up")
  })

  it("the third is the last", () => {
    expect(next(new StatusFailure(503, 0), { attempt: 3 })).toBe("given up")
  })

  it.each([
    [5000, 5000],
    [1, 100],
  ])("the gateway asked to wait %i ms: %i ms are waited", (askedMs, waitMs) => {
    expect(next(new StatusFailure(429, askedMs))).toBe(waitMs)
  })

  it.each([
    [100, "given up"],
    [101, 100],
  ])("with %i ms left of the call it is %p: a wait must end before the deadline", (remainingMs, outcome) => {
    expect(next(broken("ECONNRESET"), { remainingMs })).toBe(outcome)
  })

  it("no status is undici's to judge: statuses come as errors", () => {
    const { statusCodes } = retryOptions(
      () => 1,
      () => true
    )
    expect(statusCodes).toEqual([])
  })
})
