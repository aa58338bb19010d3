import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import { errors, type Dispatcher } from "undici"
import type { Authenticator, GatewayAuthRequest, GatewayHeaders } from "./auth"
import { decodeBody } from "./decode-body"
import { DeadlineExceeded, GatewayError, GatewayUnavailable, toGatewayError } from "./errors"
import { sharePools, type PoolUse, type SharedPools } from "./pools"

/** One call before it is authenticated. */
export interface WireRequest {
  kind: "read" | "list" | "create"
  /** Pathname, the prefix of `baseUrl` included. */
  path: string
  /** With its question mark. */
  query?: string
  /** JSON text of a create. */
  body?: string
}

/** A complete HTTP answer that is not "try later": 2xx, 3xx or 4xx. */
export interface WireReply {
  status: number
  /** Decompressed. Empty when it was too large, or broke off after a status that says no. */
  body: Buffer
}

/** What a transport needs. */
export interface TransportOptions {
  origin: string
  authenticate: Authenticator
  timeoutMs: number
  poolUse: PoolUse
}

/** One call while it runs, across its attempts. */
interface Call extends GatewayAuthRequest {
  kind: WireRequest["kind"]
  /** Path and query. */
  target: string
  signal: AbortSignal
  endsAtMs: number
  /** True once bytes of any attempt may have left. */
  isSent: boolean
}

type IncomingHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2]

interface Answer extends WireReply {
  headers: IncomingHeaders
}

const MAX_ATTEMPTS = 3
const FIRST_WAIT_MS = 200
/** Two slow attempts and a short third fit into the deadline; a gateway that needs longer is not up. */
const ATTEMPT_SHARE = 0.4
const MEGABYTE = 1024 * 1024
/** A payment request has about one kilobyte. */
const MAX_BYTES = { read: MEGABYTE, list: 16 * MEGABYTE, create: MEGABYTE }
/** Some firewalls refuse requests that do not say what sends them. */
export const USER_AGENT = "medusa-payment-crypto"

/**
 * HTTP for the client: one answer within one deadline or a `GatewayError`. A call is tried up to three times, but a
 * create is sent at most once. Each attempt starts from nothing and is all or nothing. Redirects are answers, never
 * followed: following would send our credentials elsewhere.
 */
export class Transport {
  readonly #options: TransportOptions
  readonly #shared: SharedPools
  #isClosed = false

  constructor(options: TransportOptions) {
    this.#options = options
    this.#shared = sharePools(options.origin)
  }

  /**
   * @returns a 2xx, 3xx or 4xx answer
   * @throws GatewayUnavailable, GatewayMalformed
   */
  async send(request: WireRequest): Promise<WireReply> {
    if (this.#isClosed) {
      throw new GatewayUnavailable({
        outcomeUnknown: false,
        cause: new Error("This GatewayClient is closed"),
      })
    }
    const { kind, path, query = "", body = null } = request
    const { origin, timeoutMs } = this.#options
    const deadline = new AbortController()
    const timer = setTimeout(() => {
      deadline.abort(new DeadlineExceeded(timeoutMs))
    }, timeoutMs)
    const call: Call = {
      kind,
      method: kind === "create" ? "POST" : "GET",
      url: `${origin}${path}${query}`,
      target: `${path}${query}`,
      path,
      body,
      signal: deadline.signal,
      endsAtMs: performance.now() + timeoutMs,
      isSent: false,
    }
    try {
      // Undici is told of the deadline only once a request is on a socket; a call may still be queued or connecting.
      return await Promise.race([this.#answer(call), whenAborted(call.signal)])
    } catch (error) {
      throw toGatewayError(error, call.isSent)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Gives the connections back. Calls made afterwards fail with `GatewayUnavailable`. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true
      await this.#shared.release()
    }
  }

  async #answer(call: Call): Promise<WireReply> {
    const { kind, method, url, path, body } = call
    const authHeaders = await this.#options.authenticate({ method, url, path, body })
    // A dead call would take a connection from live ones.
    call.signal.throwIfAborted()
    for (let attempt = 1; ; attempt++) {
      const end = await this.#attempt(call, authHeaders()).catch((error: unknown) =>
        toGatewayError(error, call.isSent)
      )
      if (!(end instanceof GatewayError) && !isRetryableStatus(end.status)) {
        const encoding = String(end.headers["content-encoding"] ?? "")
        const decoded = await decodeBody(end.body, encoding, MAX_BYTES[kind])
        return { status: end.status, body: decoded === "too_large" ? Buffer.alloc(0) : decoded }
      }
      const failure =
        end instanceof GatewayError
          ? end
          : new GatewayUnavailable({ httpStatus: end.status, outcomeUnknown: true })
      const asked = end instanceof GatewayError ? 0 : retryAfterMs(end.headers["retry-after"])
      const waitMs = Math.max(backOffMs(attempt), asked)
      // What may have been sent is never repeated, unless it only reads. No wait goes on past the deadline.
      const mayRepeat = method === "GET" || !call.isSent
      const isOver = attempt === MAX_ATTEMPTS || waitMs >= call.endsAtMs - performance.now()
      if (isOver || !mayRepeat || !(failure instanceof GatewayUnavailable)) {
        throw failure
      }
      await delay(waitMs)
    }
  }

  #attempt(call: Call, authHeaders: GatewayHeaders): Promise<Answer> {
    const { kind, method, target, body, signal } = call
    const { poolUse, timeoutMs } = this.#options
    const isRead = method === "GET"
    // 0 switches undici's own time-outs off: a create has the whole deadline.
    const attemptMs = isRead ? Math.ceil(timeoutMs * ATTEMPT_SHARE) : 0
    const headers = {
      accept: "application/json",
      "user-agent": USER_AGENT,
      // A cached "PAID" of yesterday is as bad as a cached "UNPAID".
      ...(isRead ? { "cache-control": "no-cache" } : { "content-type": "application/json" }),
      ...authHeaders,
    }
    return new Promise((resolve, reject) => {
      const answer = { status: 0, headers: {} as IncomingHeaders }
      const chunks: Buffer[] = []
      let size = 0
      this.#shared.pools[kind === "read" ? poolUse : kind].dispatch(
        {
          method,
          path: target,
          body,
          headers,
          headersTimeout: attemptMs,
          bodyTimeout: attemptMs,
        },
        {
          // Called right before bytes are written, and never for a connection that failed.
          onRequestStart: (controller) => {
            if (signal.aborted) {
              controller.abort(signal.reason as Error)
              return
            }
            call.isSent = true
            void once(signal, "abort").then(() => {
              controller.abort(signal.reason as Error)
            })
          },
          // 1xx come here too; the last status is the answer's.
          onResponseStart: (_controller, status, received) => {
            answer.status = status
            answer.headers = received
          },
          onResponseData: (controller, chunk) => {
            size += chunk.length
            if (size > MAX_BYTES[kind]) {
              controller.abort(new errors.ResponseExceededMaxSizeError())
            } else {
              chunks.push(chunk)
            }
          },
          onResponseEnd: () => {
            resolve({ ...answer, body: Buffer.concat(chunks) })
          },
          onResponseError: (_controller, error) => {
            // The status already said no; that its page then broke off or was too big changes nothing.
            if (answer.status >= 400 && !signal.aborted) {
              resolve({ ...answer, body: Buffer.alloc(0) })
            } else {
              reject(error)
            }
          },
        }
      )
    })
  }
}

async function whenAborted(signal: AbortSignal): Promise<never> {
  await once(signal, "abort")
  throw signal.reason as Error
}

/** Whether a status means "not now" rather than "no". */
function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

/**
 * Reads Retry-After, in seconds or as an HTTP date. Absent, past or unreadable, it asks for no wait.
 *
 * @see RFC 9110 section 10.2.3
 */
function retryAfterMs(header: string | string[] | undefined): number {
  const value = [header].flat()[0]?.trim() ?? ""
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return ms > 0 ? ms : 0
}

// Half fixed, half random, so that many carts failing together do not return together.
function backOffMs(failedAttempts: number): number {
  const full = FIRST_WAIT_MS * 2 ** (failedAttempts - 1)
  return full / 2 + (Math.random() * full) / 2
}
