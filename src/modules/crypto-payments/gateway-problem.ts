import type { NotAsked } from "../../decision"
import { GatewayRejected, GatewayUnavailable, type GatewayError } from "../../gateway"

const MESSAGES = {
  unreachable:
    "The gateway cannot be reached, or it answers that it is not available. Try again in a minute. Check the base address, and whether the gateway is up.",
  refused: "The gateway refused the request. Check the authentication and its secrets.",
  unknown_to_gateway: "The gateway answers that it does not have this.",
  not_this_api:
    "Something answers at the base address, but not with this payment API, or a proxy, firewall or login page answers in its place. Check the address, its version prefix included, the authentication, and whether the gateway lets this server through.",
  timeout: "The gateway did not answer in time. Try again in a minute.",
  certificate_untrusted:
    "This server does not trust the certificate at the base address, so nothing was sent. If its authority is your company's own, give the authority's certificate to the store in NODE_EXTRA_CA_CERTS and restart the store. Otherwise ask the gateway whether its server sends the whole chain of certificates.",
  certificate_wrong_host:
    "The certificate at the base address is for another host name, so nothing was sent. Check the host name in the base address.",
  certificate_expired:
    "The certificate at the base address has expired or is not valid yet, so nothing was sent. Check the clock of this server. If the clock is right, tell the gateway.",
  tls_failed:
    "Something answers at the base address, but no secure connection can be made to it. Check that the address and its port are those of HTTPS, and ask the gateway which certificates and TLS versions it takes.",
  proxy_unreachable:
    "The outgoing proxy cannot be reached or does not answer. Check the address in HTTPS_PROXY, and the certificate of a proxy of https://, then restart the store.",
  proxy_login_required:
    "The outgoing proxy requires another user name and password (HTTP 407). Give them in HTTPS_PROXY, such as http://user:password@proxy.example:3128, and restart the store.",
  proxy_refused:
    "The outgoing proxy makes no connection to the gateway. Ask whoever runs the proxy to allow the gateway's host and port, or name the host in NO_PROXY and restart the store.",
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
