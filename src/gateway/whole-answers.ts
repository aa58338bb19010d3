import { errors, type Dispatcher } from "undici"
import type { GatewayHeaders } from "./auth"
import { StatusFailure } from "./errors/to-gateway-error"
import { isRetryableStatus, retryAfterMs } from "./retry"

/** A complete HTTP answer that is not "try later": 2xx, 3xx or 4xx. */
export interface WireReply {
  status: number
  body: Buffer
  /** The `Content-Encoding` of the body, or empty. */
  contentEncoding: string
}

/** What is known about one call while it runs, across its attempts. */
export interface CallState {
  readonly signal: AbortSignal
  /** The most bytes of an answer. What is longer is not read to its end. */
  readonly maxBytes: number
  /** True once bytes of any attempt may have left. */
  sent: boolean
  reply: WireReply | null
}

type Controller = Dispatcher.DispatchController
type IncomingHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2]

/**
 * Interceptor below undici's retry interceptor that makes each attempt all or nothing: the whole answer is in
 * `call.reply`, or the attempt failed.
 *
 * Without it undici resumes a broken answer with a Range request and glues the parts together, and two reads of a
 * payment request a moment apart are not the same bytes. Here a broken body is a failed attempt like any other, and
 * the retry starts from nothing.
 *
 * @param headers called for every attempt
 */
export function wholeAnswers(
  call: CallState,
  headers: () => GatewayHeaders
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch({ ...options, headers: headers() }, new AttemptHandler(call, handler))
}

class AttemptHandler implements Dispatcher.DispatchHandler {
  readonly #call: CallState
  readonly #next: Dispatcher.DispatchHandler
  #status = 0
  #retryAfterMs = 0
  #contentEncoding = ""
  #chunks: Buffer[] = []
  #size = 0

  constructor(call: CallState, next: Dispatcher.DispatchHandler) {
    this.#call = call
    this.#next = next
  }

  // Undici calls this right before it writes, and never for a connection that failed.
  onRequestStart(controller: Controller, context: unknown): void {
    this.#next.onRequestStart?.(controller, context)
    if (!controller.aborted) {
      this.#call.sent = true
    }
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHeaders): void {
    // 1xx come here too; the last status is the answer's.
    this.#status = status
    this.#retryAfterMs = retryAfterMs(headers["retry-after"])
    this.#contentEncoding = String(headers["content-encoding"] ?? "")
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#call.maxBytes) {
      this.#chunks = []
      // A status that says no needs no body. Aborted, the call could not be tried again.
      if (this.#status < 400) {
        controller.abort(new errors.ResponseExceededMaxSizeError())
      }
      return
    }
    this.#chunks.push(chunk)
  }

  onResponseEnd(controller: Controller): void {
    if (isRetryableStatus(this.#status)) {
      this.#next.onResponseError?.(controller, new StatusFailure(this.#status, this.#retryAfterMs))
      return
    }
    this.#call.reply = {
      status: this.#status,
      body: Buffer.concat(this.#chunks),
      contentEncoding: this.#contentEncoding,
    }
    this.#next.onResponseStart?.(controller, this.#status, {}, "")
    this.#next.onResponseEnd?.(controller, {})
  }

  onResponseError(controller: Controller, error: Error): void {
    // The status already said no; that its page then broke off or was too big changes nothing.
    if (this.#status >= 400 && !this.#call.signal.aborted) {
      this.#chunks = []
      this.onResponseEnd(controller)
      return
    }
    this.#next.onResponseError?.(controller, error)
  }
}
