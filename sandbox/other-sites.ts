import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { Refused } from "./http"
import type { SandboxState } from "./state"

/** A foreign web page in the developer's browser must neither press buttons here nor read what was called. */
export function refuseOtherSites(state: SandboxState, { headers, method }: IncomingMessage): void {
  const { host, origin } = headers
  if (host === undefined) {
    // Every browser sends it.
    return
  }
  if (!isOwn(`http://${host}`, state)) {
    throw new Refused(403, "this is not the sandbox's host name; give it another with --public-url")
  }
  if (origin === undefined || method === "GET" || method === "HEAD") {
    return
  }
  if (origin !== `http://${host}` && origin !== new URL(state.url).origin) {
    throw new Refused(403, "this came from another web site")
  }
}

/**
 * A foreign page can let its own name point at this machine (DNS rebinding), and then its requests come from "the same
 * site". It cannot do that with an address, nor with localhost.
 */
function isOwn(url: string, state: SandboxState): boolean {
  const name = URL.canParse(url) ? new URL(url).hostname : ""
  const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0
  return isAddress || name === "localhost" || name === new URL(state.url).hostname
}
