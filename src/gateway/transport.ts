import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { request } from "undici"
import type { Authenticator, GatewayHeaders } from "./auth"
import { parseBaseUrl } from "./base-url"
import { GatewayMalformed, GatewayUnavailable, toGatewayError } from "./errors"
import { MAX_BYTES, type Connections, type PoolUse } from "./pools"

export interface WireRequest {
  method: "GET" | "POST"
  target: string
  body?: string
}

/** A complete HTTP answer with 2xx, 3xx or 4xx, except those that mean "try later". */
export interface WireReply {
  status: number
  body: Buffer
}

export interface TransportOptions {
  baseUrl: string
  authenticate: Authenticator
  timeoutMs: number
  connections: Connections
  poolUse: PoolUse
}

const MAX_ATTEMPTS = 3
const FIRST_WAIT_MS = 200
/** Two slow attempts and a short third one fit into the deadline. */
const ATTEMPT_SHARE = 0.4
/** Some firewalls refuse requests without a user agent. */
export const USER_AGENT = "medusa-payment-crypto"

/**
 * HTTP for the client: one answer within one deadline, or a `GatewayError`. A read is tried up to three times, a create
 * once. No attempt uses anything of an earlier one. Redirects are answers and never followed: following one would send
 * our credentials elsewhere.
 */
export class Transport {
  readonly #options: TransportOptions
  readonly #base: ReturnType<typeof parseBaseUrl>

  /** @throws TypeError when `baseUrl` or `HTTPS_PROXY` is not usable */
  constructor(options: TransportOptions) {
    this.#options = options
    this.#base = parseBaseUrl(options.baseUrl)
    options.connections.of(options.poolUse)
  }

  /** @returns a 2xx, 3xx or 4xx answer @throws GatewayUnavailable, GatewayMalformed */
  async send(wire: WireRequest): Promise<WireReply> {
    const signal = AbortSignal.timeout(this.#options.timeoutMs)
    try {
      // Undici knows the deadline only once a request is on a socket; a call may still be queued or connecting.
      return await Promise.race([
        this.#answer(wire, signal),
        once(signal, "abort").then(() => {
          throw signal.reason as Error
        }),
      ])
    } catch (error) {
      throw toGatewayError(error)
    }
  }

  async #answer({ method, target, body: sent }: WireRequest, signal: AbortSignal): Promise<WireReply> {
    const body = sent ?? null
    const url = new URL(`${this.#base.origin}${this.#base.pathPrefix}${target}`)
    const headers = await this.#authenticate({ method, url: url.href, path: url.pathname, body })
    for (let attempt = 1; ; attempt++) {
      // A dead call would take a connection from live ones.
      signal.throwIfAborted()
      try {
        return await this.#attempt(url, { method, body, headers, signal })
      } catch (error) {
        // A request that may have been sent is repeated only if it is a read.
        const failure = toGatewayError(error)
        if (method !== "GET" || attempt === MAX_ATTEMPTS || !(failure instanceof GatewayUnavailable)) {
          throw failure
        }
      }
      // Random, so that failed carts do not retry all at once.
      await delay((FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + Math.random())) / 2)
    }
  }

  /** Nothing was sent if it fails. */
  async #authenticate(of: Parameters<Authenticator>[0]): Promise<GatewayHeaders> {
    try {
      return await this.#options.authenticate(of)
    } catch (cause) {
      throw new GatewayUnavailable({ outcomeUnknown: false, cause })
    }
  }

  async #attempt(
    url: URL,
    call: { method: "GET" | "POST"; body: string | null; headers: GatewayHeaders; signal: AbortSignal }
  ): Promise<WireReply> {
    const isRead = call.method === "GET"
    const { timeoutMs, connections, poolUse } = this.#options
    // 0 switches undici's own time-outs off: a create has the whole deadline.
    const attemptMs = isRead ? Math.ceil(timeoutMs * ATTEMPT_SHARE) : 0
    const {
      statusCode: status,
      headers,
      body,
    } = await request(url, {
      ...call,
      dispatcher: connections.of(isRead ? poolUse : "shop"),
      headersTimeout: attemptMs,
      bodyTimeout: attemptMs,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": USER_AGENT,
        // A cached answer is as bad as none: "PAID" or "UNPAID" of yesterday.
        ...(isRead ? { "cache-control": "no-cache" } : { "content-type": "application/json" }),
        ...call.headers,
      },
    })
    if (status >= 500 || status === 429 || status === 408) {
      await body.dump()
      throw new GatewayUnavailable({ httpStatus: status, outcomeUnknown: true })
    }
    return { status, body: await unzip(Buffer.from(await body.arrayBuffer()), headers["content-encoding"]) }
  }
}

/**
 * No compression is asked for. Some proxies compress all the same, and others name an encoding that the body has not.
 */
async function unzip(body: Buffer, encoding: unknown): Promise<Buffer> {
  if (encoding !== "gzip") {
    return body
  }
  try {
    return await promisify(gunzip)(body, { maxOutputLength: MAX_BYTES })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new GatewayMalformed({ fields: ["body"], cause })
    }
    return body
  }
}
