import { errors } from "undici"
import { GatewayError } from "./gateway-error"
import { GatewayMalformed } from "./gateway-malformed"
import { GatewayUnavailable } from "./gateway-unavailable"

/**
 * Internal: one attempt ended with a status that says "not now" (5xx, 429, 408). Undici's retry interceptor sees it as
 * a failed attempt; after the last one it becomes `GatewayUnavailable`, whose `cause` it is.
 */
export class StatusFailure extends Error {
  readonly status: number
  /** The wait of Retry-After, counted from now; 0 if there is none. */
  readonly retryAfterMs: number

  constructor(status: number, retryAfterMs: number) {
    super(`HTTP status ${String(status)}`)
    this.name = "StatusFailure"
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** Internal: the call's deadline passed. The `cause` of the `GatewayUnavailable` the caller gets. */
export class DeadlineExceeded extends Error {
  readonly code = "deadline_exceeded"

  constructor(timeoutMs: number) {
    super(`No answer within ${String(timeoutMs)} ms`)
    this.name = "DeadlineExceeded"
  }
}

/**
 * Maps what one call ended with to the closed list, in this one place.
 *
 * @param sent whether the request may have reached the gateway
 */
export function toGatewayError(error: unknown, sent: boolean): GatewayError {
  if (error instanceof GatewayError) {
    return error
  }
  if (error instanceof StatusFailure) {
    return new GatewayUnavailable({ httpStatus: error.status, outcomeUnknown: sent, cause: error })
  }
  const code = errorCode(error)
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return new GatewayMalformed({ fields: ["body"], cause: error })
  }
  if (code === PROTOCOL_ERROR) {
    // Without cause: undici's parser error carries the bytes it choked on.
    return new GatewayMalformed({ fields: ["http"] })
  }
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return new GatewayMalformed({ fields: ["http"], cause: error })
  }
  return new GatewayUnavailable({ outcomeUnknown: sent, cause: error })
}

/** Used as the code of an answer that is not HTTP. */
const PROTOCOL_ERROR = "protocol_error"
/** Used as the code of a chunked answer that ended inside a chunk. */
export const BROKEN_OFF = "broken_off"

/** The `code` of a Node or undici error, empty if it has none. */
export function errorCode(error: unknown): string {
  if (error instanceof errors.HTTPParserError) {
    // Undici 7.30 gives these no code. The one for an end of file comes with no bytes; it is a broken connection like
    // any other and not a gateway that speaks something else.
    return "data" in error && error.data === "" ? BROKEN_OFF : PROTOCOL_ERROR
  }
  // Not by instanceof: Node's own errors come from another realm where code runs in a vm, as under jest.
  const code: unknown =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  return typeof code === "string" ? code : ""
}
