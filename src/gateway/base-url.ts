/** A checked `baseUrl`. */
export interface BaseUrl {
  /** Such as `https://gateway.example`. */
  origin: string
  /** Such as `/api/v1`: percent-encoded, no trailing slash, empty if there is none. */
  pathPrefix: string
}

/**
 * Whether plain http may be used with this host: only where nobody else can listen.
 *
 * @param hostname as `URL.hostname` gives it
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/**
 * Checks `baseUrl`: https, or http on loopback; a path prefix and trailing slashes are fine.
 *
 * @throws TypeError naming the option, never its value
 * @see gateway interface, "Versioning": the version is the prefix segment `v1`
 */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (
    url === null ||
    !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))
  ) {
    throw new TypeError("baseUrl must be an https address, or http on localhost")
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("baseUrl must have no credentials, query or fragment. Put credentials into auth")
  }
  return { origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, "") }
}

/** Browsers read a backslash as a slash and drop tabs and line ends; other programs do not, and find another host. */
const READ_IN_TWO_WAYS = /[\\\p{Cc}]/u

/**
 * The address of a payment link in the form that every program reads in the same way, if a payer may be sent there:
 * https, or http on loopback, no credentials in it, and the host in the list if there is one.
 *
 * @param allowedHosts host names, or `host:port`; undefined means any host
 * @returns undefined for any other link
 */
export function readPaymentLink(
  link: string,
  allowedHosts: readonly string[] | undefined
): string | undefined {
  const url = URL.canParse(link) && !READ_IN_TWO_WAYS.test(link) ? new URL(link) : null
  if (url === null || url.username !== "" || url.password !== "") {
    return undefined
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    return undefined
  }
  const hosts = allowedHosts?.map((host) => host.toLowerCase())
  const isAllowed = hosts === undefined || hosts.includes(url.host) || hosts.includes(url.hostname)
  return isAllowed ? url.href : undefined
}

/** Whether a payer may be sent to this address. @see readPaymentLink */
export function isAcceptablePaymentLink(link: string, allowedHosts: readonly string[] | undefined): boolean {
  return readPaymentLink(link, allowedHosts) !== undefined
}
