import { hasCredentials, isPrivate } from "./base-url"

/** Browsers read a backslash as a slash and drop tabs and line ends. Other programs do not, and find another host. */
const READ_IN_TWO_WAYS = /[\\\p{Cc}]/u

/** An address that every program reads in the same way, and that holds no credentials. */
function readAddress(text: string): URL | undefined {
  const url = URL.canParse(text) && !READ_IN_TWO_WAYS.test(text) ? new URL(text) : undefined
  return url === undefined || hasCredentials(url) ? undefined : url
}

/** A DNS name or a numeric address, as `URL.hostname` gives it. */
const HOST_NAME =
  /^(?:\[[0-9a-f:.]+\]|(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)$/

/**
 * The host that a merchant's text means, in the form that a link's host is compared with: `pay.example`, or
 * `pay.example:8443` for one port only. Of a whole http or https address, the host counts.
 *
 * @returns undefined for a host that no link can have
 */
export function normalizeHost(text: string): string | undefined {
  const isAddress = /^https?:\/\//i.test(text)
  const url = readAddress(isAddress ? text : `https://${text}`)
  // A path, a query or a fragment without a scheme is a mistake.
  if (url === undefined || !HOST_NAME.test(url.hostname) || (!isAddress && /[/?#]/.test(text))) {
    return undefined
  }
  return !isAddress && text.endsWith(":443") ? `${url.hostname}:443` : url.host
}

function isListed({ hostname, port, protocol }: URL, hosts: readonly string[]): boolean {
  const usualPort = protocol === "https:" ? "443" : "80"
  const listed = hosts.map((host) => host.toLowerCase())
  return listed.includes(hostname) || listed.includes(`${hostname}:${port === "" ? usualPort : port}`)
}

/**
 * The normalized address of a payment link, if a payer may be sent there: https, or http on loopback, without
 * credentials, and with an allowed host.
 *
 * @param allowedHosts host names, or `host:port`; undefined means any host
 * @returns undefined for any other link
 */
export function readPaymentLink(
  link: string,
  allowedHosts: readonly string[] | undefined
): string | undefined {
  const url = readAddress(link)
  const isAllowed =
    url !== undefined && isPrivate(url) && (allowedHosts === undefined || isListed(url, allowedHosts))
  return isAllowed ? url.href : undefined
}
