export const MAX_ATTEMPTS = 3
const FIRST_WAIT_MS = 200

export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

/** 100 to 200 ms, then twice as long, at least `Retry-After`. Random, so that failed carts do not retry all at once. */
export function waitBeforeRetryMs(failedAttempts: number, retryAfter?: string | string[]): number {
  const full = FIRST_WAIT_MS * 2 ** (failedAttempts - 1)
  return Math.max(full / 2 + (Math.random() * full) / 2, retryAfterMs(retryAfter))
}

/** Reads Retry-After, in seconds or as an HTTP date; 0 if absent, past or unreadable. @see RFC 9110 section 10.2.3 */
function retryAfterMs(header: string | string[] | undefined): number {
  // The first one, if a proxy has added its own.
  const value = [header].flat()[0]?.trim() ?? ""
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return ms > 0 ? ms : 0
}
