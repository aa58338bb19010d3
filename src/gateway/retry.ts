/** A call is tried so many times. */
export const MAX_ATTEMPTS = 3
const FIRST_WAIT_MS = 200

/** Whether a status means "not now" rather than "no". */
export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

/**
 * How long to wait before the next attempt: 100 to 200 ms, then twice as long, and never less than `Retry-After` asks
 * for. Half is random, so that many carts failing together do not return together.
 */
export function waitBeforeRetryMs(failedAttempts: number, retryAfter?: string | string[]): number {
  const full = FIRST_WAIT_MS * 2 ** (failedAttempts - 1)
  return Math.max(full / 2 + (Math.random() * full) / 2, retryAfterMs(retryAfter))
}

/**
 * Reads Retry-After, in seconds or as an HTTP date. Absent, past or unreadable, it asks for no wait.
 *
 * @see RFC 9110 section 10.2.3
 */
function retryAfterMs(header: string | string[] | undefined): number {
  // The first, where a proxy has added one of its own.
  const value = [header].flat()[0]?.trim() ?? ""
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return ms > 0 ? ms : 0
}
