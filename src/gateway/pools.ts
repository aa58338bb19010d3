import { EnvHttpProxyAgent, Pool, type Dispatcher } from "undici"
import { NoTunnel } from "./unavailable-reason"

/**
 * The connections to one gateway, by use. Visitors can use up those of the shop, and settling still has its own: one
 * for each of eight settles, five for a batch of rows, and two for lists.
 *
 * `pipelining: 0` is a new connection for each request; 1 is one request at a time over a kept connection. The shop
 * creates payment requests: a kept connection may be dead, and a creation that was lost with it must not be repeated.
 */
const POOLS = {
  shop: { connections: 32, pipelining: 0 },
  settling: { connections: 15, pipelining: 1 },
}
/** Of an answer: a page of the list may have thousands of records. */
export const MAX_BYTES = 16 * 1024 * 1024
/** Leaves time for a second try within the default deadline of 8 s; a shorter deadline ends the call anyway. */
const CONNECT_TIMEOUT_MS = 3000
/**
 * Node gives each address of a host 250 ms, and takes a far one for dead. It tries IPv4 and IPv6 in turn, so that half
 * of the time is enough for one of each.
 */
const CONNECT = { timeout: CONNECT_TIMEOUT_MS, autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_MS / 2 }

/** What the reads of a client are for. A creation is always the shop's. */
export type PoolUse = keyof typeof POOLS

/**
 * Connections that several clients share. Undici closes them when they are idle, and idle ones do not keep the process
 * alive, so nobody has to close them.
 */
export class Connections {
  readonly #agents = new Map<PoolUse, Dispatcher>()

  /** @throws TypeError when `HTTPS_PROXY` is no address */
  of(use: PoolUse): Dispatcher {
    const agent = this.#agents.get(use) ?? createAgent(POOLS[use])
    this.#agents.set(use, agent)
    return agent
  }
}

/** Through the proxy of `HTTPS_PROXY`, unless `NO_PROXY` names the host. Plain http, on loopback only, needs none. */
function createAgent(limits: Pool.Options): Dispatcher {
  const connections = { ...limits, maxResponseSize: MAX_BYTES, connect: CONNECT }
  const tunnels = { proxyTls: CONNECT, requestTls: CONNECT, clientFactory: createTunnels, httpProxy: "" }
  const proxy = readVariable("https_proxy")
  const httpsProxy = proxy === "" || proxy.includes("://") ? proxy : `http://${proxy}`
  const own = { httpsProxy, noProxy: readVariable("no_proxy") }
  try {
    return new EnvHttpProxyAgent({ ...connections, ...tunnels, ...own })
  } catch (cause) {
    throw new TypeError("HTTPS_PROXY must be an address such as http://proxy.example:3128", { cause })
  }
}

/** As curl reads it: the lower-case name comes first. An empty variable is as good as none. */
function readVariable(name: "https_proxy" | "no_proxy"): string {
  return process.env[name] || process.env[name.toUpperCase()] || ""
}

/** Undici repeats a tunnel request for ever if a proxy closes the connection, but passes on errors of other kinds. */
function createTunnels(proxy: URL, options: object): Dispatcher {
  const pool = new Pool(proxy, { ...options, headersTimeout: CONNECT_TIMEOUT_MS })
  const connect = pool.connect.bind(pool)
  return Object.assign(pool, {
    connect: async (target: Dispatcher.ConnectOptions) => {
      const answer = await connect(target).catch((cause: unknown) => {
        throw new NoTunnel("proxy_unreachable", cause)
      })
      const { statusCode, socket } = answer
      if (statusCode !== 200) {
        // It is unused, so an error of it means nothing.
        socket.once("error", () => undefined).destroy()
        throw new NoTunnel(statusCode === 407 ? "proxy_login_required" : "proxy_refused")
      }
      return answer
    },
  })
}
