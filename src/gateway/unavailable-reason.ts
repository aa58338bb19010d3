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

/** Codes of the system and of OpenSSL. @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const REASONS: [RegExp, UnavailableReason][] = [
  [/TIMEOUT|TIMEDOUT/i, "timeout"],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, "certificate_wrong_host"],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, "certificate_expired"],
  [/^(CERT_UNTRUSTED|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/, "certificate_untrusted"],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_)/, "tls_failed"],
]
const NO_CONNECTION = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** @param cause what a call failed with before any answer */
export function toUnavailableReason(cause: unknown): UnavailableReason {
  if (cause instanceof NoTunnel) {
    return cause.reason
  }
  const found = REASONS.find(([codes]) => codes.test(codeOf(cause)))
  return found?.[1] ?? "unreachable"
}

/** Whether no connection was made, so that nothing was sent. */
export function isUnsent(cause: unknown): boolean {
  const reason = toUnavailableReason(cause)
  return cause instanceof NoTunnel || reason.startsWith("certificate_") || NO_CONNECTION.test(codeOf(cause))
}

/** The deadline's error has only a name. */
function codeOf(cause: unknown): string {
  const { name, code } = Object(cause) as { name?: unknown; code?: unknown }
  return String(typeof code === "string" ? code : name)
}
