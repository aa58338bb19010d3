import { errors } from "undici"

/**
 * Base of everything a gateway call can fail with. The list is closed: `GatewayUnavailable`,
 * `GatewayRejected`, `GatewayMalformed`. Switch on `code`, which is stable; `message` is for people and may
 * change.
 *
 * No message, property or cause contains a header, a key or a body, so an error may be logged by `code`.
 */
export abstract class GatewayError extends Error {
  /** Stable across releases. */
  abstract readonly code: "gateway_unavailable" | "gateway_rejected" | "gateway_malformed"
  /** The HTTP status of the answer; null if none came, and for notifications. */
  readonly httpStatus: number | null
  readonly #gatewayMessage: string | null

  protected constructor(message: string, { httpStatus, gatewayMessage, cause }: GatewayErrorDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.httpStatus = httpStatus ?? null
    this.#gatewayMessage = gatewayMessage ?? null
  }

  /**
   * The envelope's `message` in the gateway's words, cut to 200 characters, or null if it had none.
   * It may name the payer: show it to the merchant, do not log it. A getter over a private field, so that
   * printing the error does not print it.
   */
  get gatewayMessage(): string | null {
    return this.#gatewayMessage
  }
}

/** What every gateway error may carry. */
interface GatewayErrorDetails {
  httpStatus?: number | null
  gatewayMessage?: string | null
  cause?: unknown
}

/**
 * The gateway gave no answer: 5xx, 429 or 408 to the end, time-out, reset, refused connection, DNS, TLS, the
 * `auth` function failed, or the client is closed. Trying again later is right.
 *
 * It is never a statement about the payment: a create that fails so may have been carried out.
 *
 * @see gateway interface, "Errors: not shown"; the mapping is ours
 */
export class GatewayUnavailable extends GatewayError {
  readonly code = "gateway_unavailable"
  /** True if the request may have reached the gateway; false only if it certainly never left. */
  readonly outcomeUnknown: boolean

  constructor(details: { httpStatus?: number | null; outcomeUnknown: boolean; cause?: unknown }) {
    super("The gateway gave no answer. Try again later", details)
    this.outcomeUnknown = details.outcomeUnknown
  }
}

/** The deadline of a call passed. The `cause` of the `GatewayUnavailable` the caller gets. */
export class DeadlineExceeded extends Error {
  readonly code = "deadline_exceeded"

  constructor(timeoutMs: number) {
    super(`No answer within ${String(timeoutMs)} ms`)
    this.name = "DeadlineExceeded"
  }
}

/**
 * The gateway answered and refused: 2xx with a false success flag, 4xx with either flag (except 408 and 429), or 401, 404
 * and 410 in any form. Repeating the same call is pointless. 401 and 403 mean the `auth` option, 404 an unknown id or a
 * wrong `baseUrl`.
 *
 * @see gateway interface, "Response envelope"; status codes are not shown there, so the mapping is ours
 */
export class GatewayRejected extends GatewayError {
  readonly code = "gateway_rejected"
  /** 4xx, or 2xx when the success flag was false. */
  declare readonly httpStatus: number
  /**
   * Whether the refusal came in the gateway's envelope, so that it is this API that refuses. A 404 without one may be
   * the answer of a server that does not know the path.
   */
  readonly isInEnvelope: boolean

  constructor(httpStatus: number, gatewayMessage: string | null, isInEnvelope = true) {
    super("The gateway refused the request", { httpStatus, gatewayMessage })
    this.isInEnvelope = isInEnvelope
  }
}

/** Whether somebody refused: the gateway, or with a 4xx whoever answered in its place. */
export function isRefusal(error: GatewayError): boolean {
  const { httpStatus } = error
  return (
    error instanceof GatewayRejected ||
    (error instanceof GatewayMalformed && httpStatus !== null && httpStatus >= 400 && httpStatus < 500)
  )
}

// A list answer can be wrong in every row; a log line must stay a line.
const MAX_FIELDS = 20

/**
 * Something came that breaks the interface: not JSON, incomplete, over 1 MB (a list: over 16 MB), a redirect, a 4xx
 * without the envelope, which a proxy or firewall may have given, a wrong type, a missing field, another payment request
 * than the one asked for, a payment link we must not send a payer to; or a notification of the wrong shape. Nothing in it
 * may be used.
 *
 * After a create it does not mean that nothing was created.
 */
export class GatewayMalformed extends GatewayError {
  readonly code = "gateway_malformed"
  /**
   * Wire paths such as `data.amount`, `data.3.payment_status`, `successful`; `body` for bytes that are no JSON
   * object, `http` for an answer that is none (redirect, 4xx without the envelope, protocol error). Paths only, never
   * values. At most 20.
   */
  readonly fields: readonly string[]
  /** The host of a payment link that only `paymentLinkHosts` refuses; null for every other fault. */
  readonly linkHost: string | null

  constructor(details: GatewayErrorDetails & { fields: readonly string[]; linkHost?: string | null }) {
    const fields = details.fields.slice(0, MAX_FIELDS)
    super(`The gateway's data breaks its interface at: ${fields.join(", ")}`, details)
    this.fields = fields
    this.linkHost = details.linkHost ?? null
  }
}

/**
 * A notification's approval hash does not fit its data. Not a `GatewayError`, because the sender may not be the
 * gateway at all. `verifyApprovalHash` answers a boolean and never throws; this class is for a receiver that
 * wants to refuse by throwing.
 */
export class ApprovalHashInvalid extends Error {
  /** Stable across releases. */
  readonly code = "approval_hash_invalid"

  constructor() {
    super(
      "The notification's approval hash is invalid. Is this the secret key of the API that has this webhook URL, " +
        "and is the data passed as received?"
    )
    this.name = "ApprovalHashInvalid"
  }
}

/**
 * Maps what an attempt or a call ended with to the closed list, in this one place.
 *
 * @param isSent whether the request may have reached the gateway
 */
export function toGatewayError(error: unknown, isSent: boolean): GatewayError {
  if (error instanceof GatewayError) {
    return error
  }
  const isBodyTooLarge = error instanceof errors.ResponseExceededMaxSizeError
  if (isBodyTooLarge || error instanceof errors.HeadersOverflowError) {
    return new GatewayMalformed({ fields: [isBodyTooLarge ? "body" : "http"], cause: error })
  }
  // Undici's parser error carries the bytes it choked on, so it is dropped. One without bytes is the end of a
  // connection inside a chunk: a broken connection like any other.
  if (error instanceof errors.HTTPParserError && "data" in error && error.data !== "") {
    return new GatewayMalformed({ fields: ["http"] })
  }
  return new GatewayUnavailable({ outcomeUnknown: isSent, cause: error })
}
