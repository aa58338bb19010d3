import "./require-node"
import { EnvHttpProxyAgent, Pool, type Dispatcher } from "undici"
import { NoTunnel } from "./unavailable-reason"

/**
 * The connections to one origin, by use. Visitors can use up those of the shop, and settling still has its own: one for
 * each of eight settles, five for a batch of rows, and two for lists.
 *
 * `pipelining: 0` is a new connection for each request; 1 is one request at a time over a kept connection. The shop
 * creates payment requests: a kept connection may be dead, and a creation that was lost with it must not be repeated.
 */
export const POOLS = {
  shop: { connections: 32, pipelining: 0 },
  settling: { connections: 15, pipelining: 1 },
}
/** Leaves time for a second try within the default deadline of 8 s; a shorter deadline ends the call anyway. */
const CONNECT_TIMEOUT_MS = 3000
/**
 * Node gives each address of a host 250 ms, and takes a far one for dead. It tries IPv4 and IPv6 in turn, so that half
 * of the time is enough for one of each.
 */
const CONNECT = { timeout: CONNECT_TIMEOUT_MS, autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_MS / 2 }

/** What the reads of a client are for. A creation is always the shop's. */
export type PoolUse = keyof typeof POOLS

type Pools = Record<PoolUse, Dispatcher>

const origins = new Map<string, Pools>()

/**
 * One origin's connections, shared by all clients of the process. Undici closes them when they are idle, and idle ones
 * do not keep the process alive, so nobody has to close them.
 */
export function poolsOf(origin: string): Pools {
  const pools =
    origins.get(origin) ??
    (Object.fromEntries(
      Object.entries(POOLS).map(([use, limits]) => [use, createPool(origin, limits)])
    ) as Pools)
  origins.set(origin, pools)
  return pools
}

/** Through the proxy of `HTTPS_PROXY`, unless `NO_PROXY` names the host. Plain http, on loopback only, needs none. */
function createPool(origin: string, limits: Pool.Options): Dispatcher {
  const httpsProxy = readProxy()
  if (httpsProxy === undefined || !origin.startsWith("https:")) {
    return new Pool(origin, { ...limits, connect: CONNECT })
  }
  return new EnvHttpProxyAgent({
    ...limits,
    connect: CONNECT,
    proxyTls: CONNECT,
    requestTls: CONNECT,
    httpProxy: "",
    httpsProxy,
    noProxy: readVariable("no_proxy"),
    clientFactory: createTunnels,
  })
}

/** As curl reads it: the lower-case name comes first. An empty variable is as good as none. */
function readVariable(name: "https_proxy" | "no_proxy"): string {
  return process.env[name] || process.env[name.toUpperCase()] || ""
}

/** @throws TypeError when `HTTPS_PROXY` is no address; one without a scheme is taken as curl takes it */
export function readProxy(): string | undefined {
  const proxy = readVariable("https_proxy")
  const address = proxy.includes("://") ? proxy : `http://${proxy}`
  if (proxy !== "" && !/^https?:/.test(URL.canParse(address) ? new URL(address).protocol : "")) {
    throw new TypeError("HTTPS_PROXY must be an address such as http://proxy.example:3128")
  }
  return proxy === "" ? undefined : address
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
