import { GatewayError } from "./gateway-error"

/** What `GatewayMalformed` carries. */
export interface GatewayMalformedDetails {
  fields: readonly string[]
  httpStatus?: number | null
  gatewayMessage?: string | null
  linkHost?: string | null
  cause?: unknown
}

// A list answer can be wrong in every row; a log line must stay a line.
const MAX_FIELDS = 20

/**
 * Something came that breaks the interface: not JSON, incomplete, over 1 MB (a list: over 16 MB), a redirect, the page
 * of a proxy or firewall, a wrong type, a missing field, another payment request than the one asked for, a payment link
 * we must not send a payer to; or a notification of the wrong shape. Nothing in it may be used.
 *
 * After a create it does not mean that nothing was created.
 */
export class GatewayMalformed extends GatewayError {
  readonly code = "gateway_malformed"
  /**
   * Wire paths such as `data.amount`, `data.3.payment_status`, `successful`; `body` for bytes that are no JSON
   * object, `http` for an answer that is none (redirect, a proxy's page, protocol error). Paths only, never values. At
   * most 20.
   */
  readonly fields: readonly string[]
  /** The HTTP status of the answer; null for notifications. */
  readonly httpStatus: number | null
  /** The host of a payment link that only `paymentLinkHosts` refuses; null for every other fault. */
  readonly linkHost: string | null
  readonly #gatewayMessage: string | null

  constructor(details: GatewayMalformedDetails) {
    const fields = details.fields.slice(0, MAX_FIELDS)
    super(`The gateway's data breaks its interface at: ${fields.join(", ")}`, details.cause)
    this.fields = fields
    this.httpStatus = details.httpStatus ?? null
    this.linkHost = details.linkHost ?? null
    this.#gatewayMessage = details.gatewayMessage ?? null
  }

  /** As `GatewayRejected.gatewayMessage`: set when the success flag is missing but a message came. */
  get gatewayMessage(): string | null {
    return this.#gatewayMessage
  }
}
