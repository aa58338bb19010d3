import type { NotAsked } from "../../decision"
import { GatewayRejected, GatewayUnavailable, type GatewayError } from "../../gateway"

const MESSAGES = {
  unreachable:
    "The gateway cannot be reached, or it answers that it is not available. Try again in a minute. Check the base address, and whether the gateway is up. Behind an outgoing proxy, check HTTPS_PROXY and NO_PROXY too, restart the store after a change, and ask whether the proxy lets this server through.",
  refused: "The gateway refused the request. Check the authentication and its secrets.",
  unknown_to_gateway: "The gateway answers that it does not have this.",
  not_this_api:
    "Something answers at the base address, but not with this payment API, or a proxy, firewall or login page answers in its place. Check the address, its version prefix included, the authentication, and whether the gateway lets this server through.",
  timeout: "The gateway did not answer in time. Try again in a minute.",
  tls_failed:
    "No secure connection can be made to the base address, so nothing was sent. Check that the address, its host name and its port are those of HTTPS, and the clock of this server. If the certificate's authority is your company's own, give the authority's certificate to the store in NODE_EXTRA_CA_CERTS and restart the store. Otherwise ask the gateway whether its certificate is valid and whether its server sends the whole chain.",
}

export type Problem = keyof typeof MESSAGES | "not_configured" | "paused" | NotAsked

export interface GatewayProblem {
  problem: Problem
  message: string
}

/** Describes a failed gateway call in our own words. */
export function describeGatewayProblem(error: GatewayError): GatewayProblem {
  const problem = classify(error)
  return { problem, message: MESSAGES[problem] }
}

function classify(error: GatewayError): keyof typeof MESSAGES {
  if (error instanceof GatewayUnavailable) {
    return error.reason
  }
  if (isUnknownToGateway(error)) {
    return "unknown_to_gateway"
  }
  // 404 and 405: there is a server, and it does not know the paths of this API.
  const isRefused = error instanceof GatewayRejected && error.httpStatus !== 404 && error.httpStatus !== 405
  return isRefused ? "refused" : "not_this_api"
}

export function isUnknownToGateway(error: GatewayError): boolean {
  const isRejected = error instanceof GatewayRejected && error.isInEnvelope
  return isRejected && (error.httpStatus === 404 || error.httpStatus === 410)
}
