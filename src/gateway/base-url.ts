/** @param hostname `URL.hostname` */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname)

/**
 * Checks `baseUrl`: https, or http on loopback; a path prefix and trailing slashes are fine.
 *
 * @returns such as `https://gateway.example` and `/api/v1`: percent-encoded, no trailing slash, empty if there is none
 * @throws TypeError naming the option, never its value
 * @see gateway interface, "Versioning": the version is the prefix segment `v1`
 */
export function parseBaseUrl(baseUrl: string): { origin: string; pathPrefix: string } {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !isPrivate(url)) {
    throw new TypeError("baseUrl must be an https address, or http on localhost")
  }
  if (hasCredentials(url) || url.search !== "" || url.hash !== "") {
    throw new TypeError("baseUrl must have no credentials, query or fragment. Put credentials into auth")
  }
  return { origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, "") }
}

/** Nobody in between can read or change what is sent: https, or http on loopback, where nobody else can listen. */
export const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopback(hostname))

export const hasCredentials = ({ username, password }: URL): boolean => username !== "" || password !== ""
