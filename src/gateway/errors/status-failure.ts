/**
 * Internal: one attempt ended with a status that says "not now" (5xx, 429, 408). Undici's retry interceptor sees it as a
 * failed attempt; after the last one it becomes `GatewayUnavailable`, whose `cause` it is.
 */
export class StatusFailure extends Error {
  readonly status: number
  /** What the gateway asked for in Retry-After, counted from now; 0 if nothing. */
  readonly retryAfterMs: number

  constructor(status: number, retryAfterMs: number) {
    super(`HTTP status ${String(status)}`)
    this.name = "StatusFailure"
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}
