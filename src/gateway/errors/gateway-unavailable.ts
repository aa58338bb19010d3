import { GatewayError } from "./gateway-error"

/** What `GatewayUnavailable` carries. */
export interface GatewayUnavailableDetails {
  httpStatus?: number | null
  outcomeUnknown: boolean
  cause?: unknown
}

/**
 * The gateway gave no answer: 5xx, 429 or 408 to the end, time-out, reset, refused connection, DNS, TLS, the
 * `auth` function failed, or the client is closed. Trying again later is right.
 *
 * It is never a statement about the payment: a create that fails so may have been carried out.
 *
 * @see gateway interface, "Errors: not shown"; the mapping is ours
 */
export class GatewayUnavailable extends GatewayError {
  readonly code = "gateway_unavailable"
  /** The HTTP status, if one came; null for time-outs, resets and the like. */
  readonly httpStatus: number | null
  /** True if the request may have reached the gateway; false only if it certainly never left. */
  readonly outcomeUnknown: boolean

  constructor(details: GatewayUnavailableDetails) {
    super("The gateway gave no answer. Try again later", details.cause)
    this.httpStatus = details.httpStatus ?? null
    this.outcomeUnknown = details.outcomeUnknown
  }
}
