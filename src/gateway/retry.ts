import type { interceptors } from "undici"
import { StatusFailure, BROKEN_OFF, errorCode } from "./errors/to-gateway-error"

type RetryOptions = NonNullable<Parameters<typeof interceptors.retry>[0]>

const MAX_ATTEMPTS = 3
const FIRST_WAIT_MS = 200

const RETRYABLE_CODES = new Set([
  BROKEN_OFF,
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
])

/** Whether a status means "not now" rather than "no": 5xx, 429, 408. */
export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

/**
 * Reads Retry-After, in seconds or as an HTTP date.
 *
 * @returns milliseconds from now, 0 if absent, past or unreadable
 * @see RFC 9110 section 10.2.3
 */
export function retryAfterMs(header: string | string[] | undefined): number {
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? ""
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return ms > 0 ? ms : 0
}

/**
 * Options for undici's retry interceptor around `wholeAnswers`: three attempts in all, jittered exponential back-off,
 * never less than Retry-After, and no wait that would not end before the deadline. Undici's own list of methods does
 * not apply to a `retry` of ours.
 *
 * We bring our own `retry` because undici's default knows no time-outs, no jitter and no deadline (a call aborted
 * during its back-off would go on waiting), and caps Retry-After instead of giving up.
 *
 * @param remainingMs time left of the call
 * @param mayRepeat whether the request may be sent (again)
 */
export function retryOptions(remainingMs: () => number, mayRepeat: () => boolean): RetryOptions {
  return {
    // Statuses reach the interceptor as errors, see wholeAnswers; what comes as an answer is one.
    statusCodes: [],
    retry: (error, { state }, done) => {
      const waitMs = Math.max(
        backOffMs(state.counter),
        error instanceof StatusFailure ? error.retryAfterMs : 0
      )
      const isOver = state.counter >= MAX_ATTEMPTS || waitMs >= remainingMs()
      if (isOver || !mayRepeat() || !isRetryable(error)) {
        done(error)
        return
      }
      setTimeout(() => {
        done(null)
      }, waitMs)
    },
  }
}

function isRetryable(error: Error): boolean {
  return error instanceof StatusFailure || RETRYABLE_CODES.has(errorCode(error))
}

// Half fixed, half random, so that many carts failing together do not return together.
function backOffMs(failedAttempts: number): number {
  const full = FIRST_WAIT_MS * 2 ** (failedAttempts - 1)
  return full / 2 + (Math.random() * full) / 2
}
