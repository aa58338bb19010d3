import { errors } from "undici"
import { isUnsent, toUnavailableReason, type UnavailableReason } from "./unavailable-reason"

/**
 * Base of everything a gateway call can fail with. The list is closed: `GatewayUnavailable`, `GatewayRejected`,
 * `GatewayMalformed`. Switch on the stable `code`; `message` is for people and may change. No message, property or
 * cause contains a header, a key or a body.
 */
export abstract class GatewayError extends Error {
  /** Stable across releases. */
  abstract readonly code: "gateway_unavailable" | "gateway_rejected" | "gateway_malformed"
  /** The HTTP status of the answer; null without an answer, and for notifications. */
  readonly httpStatus: number | null
  readonly #gatewayMessage: string | null

  protected constructor(message: string, details: GatewayErrorDetails) {
    const { httpStatus, gatewayMessage, cause } = details
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.httpStatus = httpStatus ?? null
    this.#gatewayMessage = gatewayMessage ?? null
  }

  /**
   * The envelope's `message`, cut to 200 characters. It may name the payer: show it to the merchant, do not log it. A
   * getter over a private field, so that printing the error does not print it.
   */
  get gatewayMessage(): string | null {
    return this.#gatewayMessage
  }
}

interface GatewayErrorDetails {
  httpStatus?: number | null
  gatewayMessage?: string | null
  cause?: unknown
}

/**
 * The gateway gave no answer: 5xx, 429 or 408 on every attempt, time-out, reset, refused connection, DNS, TLS, a
 * proxy, or the `auth` function failed. Try again later. It says nothing about the payment: a create that fails in this
 * way may have been carried out.
 */
export class GatewayUnavailable extends GatewayError {
  readonly code = "gateway_unavailable"
  /** False only if the request certainly never left. */
  readonly outcomeUnknown: boolean
  /** Stable across releases. With an `httpStatus` it is `unreachable`. */
  readonly reason: UnavailableReason

  constructor(details: { httpStatus?: number | null; outcomeUnknown: boolean; cause?: unknown }) {
    super("The gateway gave no answer. Try again later", details)
    this.outcomeUnknown = details.outcomeUnknown
    this.reason = toUnavailableReason(details.cause)
  }
}

/**
 * The gateway answered and refused: 2xx with a false success flag, 4xx with either flag (except 408 and 429), or 401,
 * 404 and 410 in any form. Do not repeat the same call. 401 and 403 point to the `auth` option, 404 to an unknown id or
 * a wrong `baseUrl`. The interface shows no status codes, so the mapping is ours.
 */
export class GatewayRejected extends GatewayError {
  readonly code = "gateway_rejected"
  /** 4xx, or 2xx when the success flag was false. */
  declare readonly httpStatus: number
  /** False without the gateway's envelope: a server that does not know the path may have refused. */
  readonly isInEnvelope: boolean

  constructor(httpStatus: number, gatewayMessage: string | null, isInEnvelope = true) {
    super("The gateway refused the request", { httpStatus, gatewayMessage })
    this.isInEnvelope = isInEnvelope
  }
}

/** Whether the gateway refused, or another server in its place with a 4xx. */
export function isRefusal(error: GatewayError): boolean {
  const { httpStatus } = error
  return (
    error instanceof GatewayRejected ||
    (error instanceof GatewayMalformed && httpStatus !== null && httpStatus >= 400 && httpStatus < 500)
  )
}

// In a list, every record can be wrong.
const MAX_FIELDS = 20

/**
 * The answer breaks the interface: no JSON, incomplete, over 16 MB, a redirect, a 4xx without the
 * envelope (a proxy or firewall may have answered), a wrong type, a missing field, another payment request, a payment
 * link that must not be used; or a notification of the wrong shape. Nothing in it may be used. After a create, a
 * payment request may nevertheless exist.
 */
export class GatewayMalformed extends GatewayError {
  readonly code = "gateway_malformed"
  /**
   * Wire paths such as `data.amount`, `data.3.payment_status`, `successful`; `body` for bytes that are no JSON object,
   * `http` for a redirect or a 4xx without the envelope. Never values. At most 20.
   */
  readonly fields: readonly string[]
  /** The host of a payment link that only `paymentLinkHosts` refuses; else null. */
  readonly linkHost: string | null

  constructor(details: GatewayErrorDetails & { fields: readonly string[]; linkHost?: string | null }) {
    const fields = details.fields.slice(0, MAX_FIELDS)
    super(`The gateway's data breaks its interface at: ${fields.join(", ")}`, details)
    this.fields = fields
    this.linkHost = details.linkHost ?? null
  }
}

/** Maps any failure of an attempt to the closed list. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) {
    return error
  }
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return new GatewayMalformed({ fields: ["body"], cause: error })
  }
  // Undici's parser error contains the bytes, so it is dropped.
  const cause = error instanceof errors.HTTPParserError ? undefined : error
  return new GatewayUnavailable({ outcomeUnknown: !isUnsent(cause), cause })
}
