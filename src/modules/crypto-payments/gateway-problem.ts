import { GatewayError, GatewayRejected, GatewayUnavailable } from "../../gateway"
import type { ProviderSettings } from "./settings/provider-settings"

/** What a merchant is told about a gateway that could not be read. */
export interface GatewayProblem {
  problem:
    | "unreachable"
    | "refused"
    | "unknown_to_gateway"
    | "not_this_api"
    | "timeout"
    | "not_configured"
    | "provider_missing"
  message: string
}

const MESSAGES: Record<Exclude<GatewayProblem["problem"], "not_configured" | "provider_missing">, string> = {
  unreachable:
    "The gateway cannot be reached. Check the base address, and whether the gateway is up, then try again.",
  refused: "The gateway refused the request. Check the authentication and its secrets.",
  unknown_to_gateway: "The gateway answers that it does not have this.",
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
    if (isUnknownToGateway(error)) {
      return "unknown_to_gateway"
    }
    // 404 and 405: there is a server, and it does not know the paths of this API.
    return error.httpStatus === 404 || error.httpStatus === 405 ? "not_this_api" : "refused"
  }
  return "not_this_api"
}

/** Whether the gateway itself answers that it does not have what it was asked for. */
export function isUnknownToGateway(error: GatewayError): boolean {
  return error instanceof GatewayRejected && error.httpStatus === 404 && error.isInEnvelope
}

/** The gateway's words for a merchant: null when there are none, or when they quote a secret of the settings. */
export function showableWords(error: GatewayError, settings: ProviderSettings | undefined): string | null {
  const words = error instanceof GatewayRejected ? error.gatewayMessage : null
  const secrets = settings === undefined ? [] : [...settings.secretKeys, ...textsOf(settings.auth)]
  return words === null || secrets.some((secret) => secret !== "" && words.includes(secret)) ? null : words
}

function textsOf(auth: ProviderSettings["auth"]): string[] {
  const texts: string[] = []
  JSON.stringify(auth, (name, value: unknown) => {
    if (typeof value === "string" && name !== "type") {
      texts.push(value)
    }
    return value
  })
  return texts
}

function codeOf(cause: unknown): string {
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
}
