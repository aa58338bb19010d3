import { interceptors, type Dispatcher } from "undici"
import type { Authenticator, GatewayAuthRequest, GatewayHeaders } from "./auth"
import { decodeBody } from "./decode-body"
import { GatewayUnavailable } from "./errors/gateway-unavailable"
import { DeadlineExceeded, toGatewayError } from "./errors/to-gateway-error"
import { leasePool, type PoolLease, type PoolUse } from "./pool-registry"
import { retryOptions } from "./retry"
import { wholeAnswers, type CallState, type WireReply } from "./whole-answers"

/** One call before it is authenticated. */
export interface WireRequest {
  method: "GET" | "POST"
  /** Pathname, the prefix of `baseUrl` included. */
  path: string
  /** With its question mark, or empty. */
  query: string
  /** JSON text; null for reads. */
  body: string | null
  /** The most bytes of the answer. Default 1 MB; a payment request has about one kilobyte. */
  maxBytes?: number
}

/** What a transport needs. */
export interface TransportOptions {
  origin: string
  authenticate: Authenticator
  timeoutMs: number
  poolUse: PoolUse
}

// Two slow attempts and a short third fit into the deadline; a gateway that needs longer is not up.
const ATTEMPT_SHARE = 0.4
const DEFAULT_MAX_BYTES = 1024 * 1024
/** Some firewalls refuse requests that do not say what sends them. */
export const USER_AGENT = "medusa-payment-crypto"

/**
 * HTTP for the client: one answer within one deadline or a `GatewayError`. A call is tried up to three times, but a
 * create is sent at most once. Redirects are answers, never followed: following would send our credentials elsewhere.
 */
export class Transport {
  readonly #options: TransportOptions
  readonly #leases: Record<WireRequest["method"], PoolLease>
  #closed = false

  constructor(options: TransportOptions) {
    this.#options = options
    this.#leases = {
      GET: leasePool(options.origin, options.poolUse),
      POST: leasePool(options.origin, "creating"),
    }
  }

  /**
   * @returns a 2xx, 3xx or 4xx answer; its body as bytes, decompressed, and empty when that is too large
   * @throws GatewayUnavailable, GatewayMalformed
   */
  async send(request: WireRequest): Promise<WireReply> {
    if (this.#closed) {
      throw new GatewayUnavailable({
        outcomeUnknown: false,
        cause: new Error("This GatewayClient is closed"),
      })
    }
    const { timeoutMs } = this.#options
    const deadline = performance.now() + timeoutMs
    const abort = new AbortController()
    const timer = setTimeout(() => {
      abort.abort(new DeadlineExceeded(timeoutMs))
    }, timeoutMs)
    const { maxBytes = DEFAULT_MAX_BYTES } = request
    const call: CallState = { signal: abort.signal, maxBytes, sent: false, reply: null }
    try {
      const headers = await untilAborted(
        this.#options.authenticate(this.#toAuthRequest(request)),
        abort.signal
      )
      const dispatcher = this.#compose(request, call, headers, () => deadline - performance.now())
      const reply = await untilAborted(this.#exchange(dispatcher, request, call), abort.signal)
      const body = await untilAborted(decodeBody(reply.body, reply.contentEncoding, maxBytes), abort.signal)
      return { ...reply, body: body === "too_large" ? Buffer.alloc(0) : body }
    } catch (error) {
      throw toGatewayError(error, call.sent)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Gives the connections back. Calls made afterwards fail with `GatewayUnavailable`. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true
      await Promise.all(Object.values(this.#leases).map((lease) => lease.release()))
    }
  }

  #toAuthRequest({ method, path, query, body }: WireRequest): GatewayAuthRequest {
    return { method, url: `${this.#options.origin}${path}${query}`, path, body }
  }

  #compose(
    request: WireRequest,
    call: CallState,
    authHeaders: () => GatewayHeaders,
    remainingMs: () => number
  ): Dispatcher {
    const ownHeaders = {
      accept: "application/json",
      "user-agent": USER_AGENT,
      ...(request.body === null
        ? // A cached "PAID" of yesterday is as bad as a cached "UNPAID".
          { "cache-control": "no-cache" }
        : { "content-type": "application/json" }),
    }
    const attempt = wholeAnswers(call, () => ({ ...ownHeaders, ...authHeaders() }))
    // What may have been sent is never repeated, unless it only reads.
    const mayRepeat = (): boolean => request.method === "GET" || !call.sent
    return this.#leases[request.method].pool.compose(
      attempt,
      interceptors.retry(retryOptions(remainingMs, mayRepeat))
    )
  }

  #exchange(dispatcher: Dispatcher, request: WireRequest, call: CallState): Promise<WireReply> {
    const { method, path, query, body } = request
    const attemptMs = method === "GET" ? Math.ceil(this.#options.timeoutMs * ATTEMPT_SHARE) : 0
    return new Promise((resolve, reject) => {
      let current: Dispatcher.DispatchController | null = null
      call.signal.addEventListener("abort", () => current?.abort(call.signal.reason as Error), { once: true })
      dispatcher.dispatch(
        // 0 switches undici's own time-outs off; the deadline replaces all of them.
        { method, path: `${path}${query}`, body, headersTimeout: attemptMs, bodyTimeout: attemptMs },
        {
          onRequestStart: (controller) => {
            current = controller
            // The deadline may pass while a connection is made; then nothing is sent any more.
            if (call.signal.aborted) {
              controller.abort(call.signal.reason as Error)
            }
          },
          onResponseEnd: () => {
            if (call.reply === null) {
              reject(new TypeError("An answer ended before it was read"))
            } else {
              resolve(call.reply)
            }
          },
          onResponseError: (_controller, error) => {
            reject(error)
          },
        }
      )
    })
  }
}

// Undici listens to an abort only once a request is on a socket; a call may still be queued or connecting.
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener(
      "abort",
      () => {
        reject(signal.reason as Error)
      },
      { once: true }
    )
  })
  return Promise.race([work, aborted])
}
