import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import { errors, type Dispatcher } from "undici"
import type { Authenticator, GatewayAuthRequest, GatewayHeaders } from "./auth"
import { parseBaseUrl } from "./base-url"
import { decodeBody } from "./decode-body"
import { GatewayUnavailable, toGatewayError, type GatewayError } from "./errors"
import { poolsOf, type PoolUse } from "./pools"

export interface WireRequest {
  kind: "read" | "list" | "create"
  target: string
  body?: string
}

/** A complete HTTP answer with 2xx, 3xx or 4xx, except those that mean "try later". */
export interface WireReply {
  status: number
  /** Decompressed. Empty when a refusal was too large or incomplete. */
  body: Buffer
}

export interface TransportOptions {
  baseUrl: string
  authenticate: Authenticator
  timeoutMs: number
  poolUse: PoolUse
}

interface Call extends GatewayAuthRequest {
  pool: PoolUse
  /** Of the body, before and after it is decompressed. */
  maxBytes: number
  signal: AbortSignal
  endsAtMs: number
  /** True once bytes of any attempt may have left. */
  isSent: boolean
}

interface Answer extends WireReply {
  /** A header that was sent twice is a list. */
  headers: Dispatcher.ResponseData["headers"]
}

const MEGABYTE = 1024 * 1024
/** A page of the list may have thousands of records; a payment request has about one kilobyte. */
const MAX_BYTES = { read: MEGABYTE, list: 16 * MEGABYTE, create: MEGABYTE }
const MAX_ATTEMPTS = 3
const FIRST_WAIT_MS = 200
/** Two slow attempts and a short third one fit into the deadline. */
const ATTEMPT_SHARE = 0.4
/** Some firewalls refuse requests without a user agent. */
export const USER_AGENT = "medusa-payment-crypto"

/**
 * HTTP for the client: one answer within one deadline, or a `GatewayError`. A call is tried up to three times, but a
 * create is sent at most once. No attempt uses anything of an earlier one. Redirects are answers and never followed:
 * following one would send our credentials elsewhere.
 */
export class Transport {
  readonly #options: TransportOptions
  readonly #base: ReturnType<typeof parseBaseUrl>
  readonly #pools: ReturnType<typeof poolsOf>
  isClosed = false

  /** @throws TypeError when `baseUrl` is not usable */
  constructor(options: TransportOptions) {
    this.#options = options
    this.#base = parseBaseUrl(options.baseUrl)
    this.#pools = poolsOf(this.#base.origin)
  }

  /** @returns a 2xx, 3xx or 4xx answer @throws GatewayUnavailable, GatewayMalformed */
  async send({ kind, target, body }: WireRequest): Promise<WireReply> {
    if (this.isClosed) {
      const cause = new Error("This GatewayClient is closed")
      throw new GatewayUnavailable({ outcomeUnknown: false, cause })
    }
    const { timeoutMs, poolUse } = this.#options
    const url = new URL(`${this.#base.origin}${this.#base.pathPrefix}${target}`)
    const deadline = new AbortController()
    const timer = setTimeout(() => {
      const cause = new Error(`No answer within ${String(timeoutMs)} ms`)
      deadline.abort(Object.assign(cause, { code: "deadline_exceeded" }))
    }, timeoutMs)
    const call: Call = {
      pool: kind === "create" ? "shop" : poolUse,
      maxBytes: MAX_BYTES[kind],
      method: kind === "create" ? "POST" : "GET",
      url: url.href,
      path: url.pathname,
      body: body ?? null,
      signal: deadline.signal,
      endsAtMs: performance.now() + timeoutMs,
      isSent: false,
    }
    try {
      // Undici knows the deadline only once a request is on a socket; a call may still be queued or connecting.
      return await Promise.race([
        this.#answer(call),
        once(call.signal, "abort").then(() => {
          throw call.signal.reason as Error
        }),
      ])
    } catch (error) {
      throw toGatewayError(error, call.isSent)
    } finally {
      clearTimeout(timer)
    }
  }

  async #answer(call: Call): Promise<WireReply> {
    const { method, url, path, body } = call
    const authHeaders = await this.#options.authenticate({ method, url, path, body })
    // A dead call would take a connection from live ones.
    call.signal.throwIfAborted()
    for (let attempt = 1; ; attempt++) {
      let failure: GatewayError
      let retryAfter: string | string[] | undefined
      try {
        const answer = await this.#attempt(call, authHeaders())
        if (!isRetryableStatus(answer.status)) {
          return await decoded(answer, call.maxBytes)
        }
        retryAfter = answer.headers["retry-after"]
        failure = new GatewayUnavailable({ httpStatus: answer.status, outcomeUnknown: true })
      } catch (error) {
        failure = toGatewayError(error, call.isSent)
      }
      const waitMs = waitBeforeRetryMs(attempt, retryAfter)
      // A request that may have been sent is repeated only if it is a read. No wait exceeds the deadline.
      const mayRepeat = method === "GET" || !call.isSent
      const isOver = attempt === MAX_ATTEMPTS || waitMs >= call.endsAtMs - performance.now()
      if (isOver || !mayRepeat || !(failure instanceof GatewayUnavailable)) {
        throw failure
      }
      await delay(waitMs)
    }
  }

  #attempt(call: Call, authHeaders: GatewayHeaders): Promise<Answer> {
    const { method, url, body, signal, maxBytes } = call
    const isRead = method === "GET"
    // 0 switches undici's own time-outs off: a create has the whole deadline.
    const attemptMs = isRead ? Math.ceil(this.#options.timeoutMs * ATTEMPT_SHARE) : 0
    const headers = {
      accept: "application/json",
      "user-agent": USER_AGENT,
      // A cached answer is as bad as none: "PAID" or "UNPAID" of yesterday.
      ...(isRead ? { "cache-control": "no-cache" } : { "content-type": "application/json" }),
      ...authHeaders,
    }
    const { origin } = this.#base
    const path = url.slice(origin.length)
    const request = { origin, method, path, body, headers, headersTimeout: attemptMs, bodyTimeout: attemptMs }
    return new Promise((resolve, reject) => {
      const answer: Answer = { status: 0, headers: {}, body: Buffer.alloc(0) }
      const chunks: Buffer[] = []
      let bytes = 0
      this.#pools[call.pool].dispatch(request, {
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
        // 1xx are reported here too; the last status is the answer's.
        onResponseStart: (_controller, status, received) => {
          answer.status = status
          answer.headers = received
        },
        onResponseData: (controller, chunk) => {
          bytes += chunk.length
          if (bytes > maxBytes) {
            controller.abort(new errors.ResponseExceededMaxSizeError())
            return
          }
          chunks.push(chunk)
        },
        onResponseEnd: () => {
          resolve({ ...answer, body: Buffer.concat(chunks) })
        },
        onResponseError: (_controller, error) => {
          // The status already refuses: that the body is broken or too large changes nothing.
          if (answer.status >= 400 && !signal.aborted) {
            resolve(answer)
          } else {
            reject(error)
          }
        },
      })
    })
  }
}

async function decoded({ status, headers, body }: Answer, maxBytes: number): Promise<WireReply> {
  const decompressed = await decodeBody(body, String(headers["content-encoding"] ?? ""), maxBytes)
  return { status, body: decompressed === "too_large" ? Buffer.alloc(0) : decompressed }
}

export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

/** 100 to 200 ms, then twice as long, at least `Retry-After`. Random, so that failed carts do not retry all at once. */
export function waitBeforeRetryMs(failedAttempts: number, retryAfter?: string | string[]): number {
  const full = FIRST_WAIT_MS * 2 ** (failedAttempts - 1)
  return Math.max(full / 2 + (Math.random() * full) / 2, retryAfterMs(retryAfter))
}

/** Reads Retry-After, in seconds or as an HTTP date; 0 if absent, past or unreadable. @see RFC 9110 section 10.2.3 */
function retryAfterMs(header: string | string[] | undefined): number {
  // The first one, if a proxy has added its own.
  const value = [header].flat()[0]?.trim() ?? ""
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return ms > 0 ? ms : 0
}
