import type { NotAsked } from "../../decision"
import {
  authFields,
  GatewayError,
  GatewayRejected,
  GatewayUnavailable,
  isSecret,
  type GatewayAuth,
} from "../../gateway"

const MESSAGES = {
  unreachable:
    "The gateway cannot be reached. Check the base address, and whether the gateway is up, then try again.",
  refused: "The gateway refused the request. Check the authentication and its secrets.",
  unknown_to_gateway: "The gateway answers that it does not have this.",
  not_this_api:
    "Something answers at the base address, but not with this payment API, or a proxy, firewall or login page answers in its place. Check the address, its version prefix included, the authentication, and whether the gateway lets this server through.",
  timeout: "The gateway did not answer in time. Try again in a minute.",
}

export type Problem = keyof typeof MESSAGES | "not_configured" | "paused" | NotAsked

export interface GatewayProblem {
  problem: Problem
  message: string
}

/** For 5xx, 429 and 408: something answers, so the base address is probably right. */
const ANSWERED = "The gateway, or a proxy in front of it, is not available at the moment: it answers"

/** Words are cut, so a secret may be cut too: from this length on, its beginning is recognised. */
const SHORTEST_PART = 4

const TIMEOUT_CODES = new Set([
  "deadline_exceeded",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
])

/** Describes a failed gateway call in our own words. */
export function describeGatewayProblem(error: GatewayError): GatewayProblem {
  const problem = classify(error)
  const answered = error instanceof GatewayUnavailable ? error.httpStatus : null
  return {
    problem,
    message: answered === null ? MESSAGES[problem] : `${ANSWERED} HTTP ${answered}. Try again in a minute.`,
  }
}

function classify(error: GatewayError): keyof typeof MESSAGES {
  if (error instanceof GatewayUnavailable) {
    const { code } = Object(error.cause) as { code?: unknown }
    return TIMEOUT_CODES.has(String(code)) ? "timeout" : "unreachable"
  }
  if (isUnknownToGateway(error)) {
    return "unknown_to_gateway"
  }
  // 404 and 405: there is a server, and it does not know the paths of this API.
  const isRefused = error instanceof GatewayRejected && error.httpStatus !== 404 && error.httpStatus !== 405
  return isRefused && !error.isWebPage ? "refused" : "not_this_api"
}

export function isUnknownToGateway(error: GatewayError): boolean {
  const isRejected = error instanceof GatewayRejected && error.isInEnvelope
  return isRejected && (error.httpStatus === 404 || error.httpStatus === 410)
}

/** The gateway's words, for a merchant; null when they quote a secret, even in part, or the secrets are unknown. */
export function showableWords(
  error: GatewayError,
  { auth, secret_keys }: { auth: GatewayAuth; secret_keys: string[] }
): string | null {
  const words = error instanceof GatewayRejected ? error.gatewayMessage : null
  if (words === null || typeof auth === "function") {
    return null
  }
  const secrets = [...secret_keys, ...textsOf(auth)]
  return secrets.some((secret) => quotes(words, secret)) ? null : words
}

/** The words are cut to a length, so they may end in the middle of the secret. */
function quotes(words: string, secret: string): boolean {
  const beginnings = Array.from({ length: secret.length }, (_, at) => secret.slice(0, at)).slice(
    SHORTEST_PART
  )
  return secret !== "" && (words.includes(secret) || beginnings.some((part) => words.endsWith(part)))
}

/** The settings that are sent with a request, in each form in which they are sent. */
function textsOf(auth: Exclude<GatewayAuth, (...args: never[]) => unknown>): string[] {
  const given: Record<string, unknown> = auth
  const secrets =
    auth.type === "headers"
      ? Object.values(auth.headers)
      : authFields(auth.type).flatMap(([option, kind]) =>
          isSecret(kind) ? ((given[option] as string | undefined) ?? []) : []
        )
  return auth.type === "basic"
    ? [...secrets, Buffer.from(`${auth.username}:${auth.password}`, "utf8").toString("base64")]
    : secrets
}
