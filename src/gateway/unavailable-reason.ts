/**
 * Why there was no answer, as far as the connection tells.
 *
 * - `unreachable`: refused, reset, DNS, or something that has no name of its own here
 * - `certificate_untrusted`: its authority is not trusted, or the server does not send the whole chain
 * - `certificate_expired`: also one that is not valid yet
 * - `tls_failed`: any other certificate, and what does not speak TLS
 * - `proxy_unreachable`: the proxy of `HTTPS_PROXY` cannot be connected to or does not answer
 * - `proxy_login_required`: that proxy answers 407
 * - `proxy_refused`: it answers anything else than 200
 */
export type UnavailableReason =
  | "unreachable"
  | "timeout"
  | "certificate_untrusted"
  | "certificate_wrong_host"
  | "certificate_expired"
  | "tls_failed"
  | NoTunnelReason

type NoTunnelReason = "proxy_unreachable" | "proxy_login_required" | "proxy_refused"

/** A proxy made no tunnel to the gateway. */
export class NoTunnel extends Error {
  override readonly name = "NoTunnel"

  constructor(
    readonly reason: NoTunnelReason,
    cause?: unknown
  ) {
    super("the proxy gave no tunnel", { cause })
  }
}

/** Codes of undici, of the system and of OpenSSL. @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const REASONS = new Map<string, UnavailableReason>([
  ["deadline_exceeded", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["ETIMEDOUT", "timeout"],
  ["CERT_UNTRUSTED", "certificate_untrusted"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate_untrusted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate_untrusted"],
  ["UNABLE_TO_GET_ISSUER_CERT", "certificate_untrusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate_untrusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate_untrusted"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate_wrong_host"],
  ["HOSTNAME_MISMATCH", "certificate_wrong_host"],
  ["CERT_HAS_EXPIRED", "certificate_expired"],
  ["CERT_NOT_YET_VALID", "certificate_expired"],
])
const OTHER_TLS = /^(EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_)/

/** @param cause what a call failed with before any answer */
export function toUnavailableReason(cause: unknown): UnavailableReason {
  if (cause instanceof NoTunnel) {
    return cause.reason
  }
  const code = String((Object(cause) as { code?: unknown }).code)
  return REASONS.get(code) ?? (OTHER_TLS.test(code) ? "tls_failed" : "unreachable")
}
