import { GatewayError } from "./gateway-error"
import { GatewayMalformed } from "./gateway-malformed"
import { GatewayUnavailable } from "./gateway-unavailable"
import { StatusFailure } from "./status-failure"

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
  // An end of file inside a body is a broken connection, not a gateway that speaks something else.
  if (code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE") {
    // Without cause: undici's parser error carries the bytes it choked on.
    return new GatewayMalformed({ fields: ["http"] })
  }
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return new GatewayMalformed({ fields: ["http"], cause: error })
  }
  return new GatewayUnavailable({ outcomeUnknown: sent, cause: error })
}

/** The `code` of a Node or undici error, empty if it has none. */
export function errorCode(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined
  return typeof code === "string" ? code : ""
}
