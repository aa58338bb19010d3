import { GatewayError, GatewayRejected, GatewayUnavailable } from "../../gateway"

/** What a merchant is told about a gateway that could not be read. */
export interface GatewayProblem {
  problem: "unreachable" | "refused" | "not_this_api" | "timeout" | "not_configured" | "provider_missing"
  message: string
}

const MESSAGES: Record<Exclude<GatewayProblem["problem"], "not_configured" | "provider_missing">, string> = {
  unreachable:
    "The gateway cannot be reached. Check the base address, and whether the gateway is up, then try again.",
  refused: "The gateway refused the request. Check the authentication and its secrets.",
  not_this_api:
    "Something answers at the base address, but not with this payment API. Check the address, its version prefix included.",
  timeout: "The gateway did not answer in time. Try again in a minute.",
}

const TIMEOUT_CODES = new Set([
  "deadline_exceeded",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
])

/** Puts a failed gateway call into plain words; never the gateway's own. */
export function describeGatewayProblem(error: GatewayError): GatewayProblem {
  const problem = classify(error)
  return { problem, message: MESSAGES[problem] }
}

function classify(error: GatewayError): keyof typeof MESSAGES {
  if (error instanceof GatewayUnavailable) {
    return TIMEOUT_CODES.has(codeOf(error.cause)) ? "timeout" : "unreachable"
  }
  if (error instanceof GatewayRejected) {
    // 404 and 405: there is a server, and it does not know the paths of this API.
    return error.httpStatus === 404 || error.httpStatus === 405 ? "not_this_api" : "refused"
  }
  return "not_this_api"
}

function codeOf(cause: unknown): string {
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
}
