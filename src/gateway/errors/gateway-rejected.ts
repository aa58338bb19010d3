import { GatewayError } from "./gateway-error"

/** What a refusal's body is: the gateway's envelope, another JSON object, or anything else, as a proxy's page. */
export type AnswerForm = "envelope" | "object" | "other"

/**
 * The gateway answered and refused: 4xx (except 408, 429, and most pages of HTML), or 2xx with a false success flag.
 * Repeating the same call is pointless. 401 and 403 mean the `auth` option, 404 an unknown id or a wrong `baseUrl`.
 *
 * @see gateway interface, "Response envelope"; status codes are not shown there, so the mapping is ours
 */
export class GatewayRejected extends GatewayError {
  readonly code = "gateway_rejected"
  /** 4xx, or 2xx when the success flag was false. */
  readonly httpStatus: number
  /**
   * Whether the refusal came in the gateway's envelope, so that it is this API that refuses. A 404 without one may be
   * the answer of a server that does not know the path.
   */
  readonly isInEnvelope: boolean
  /** Whether the answer was a JSON object, as the gateway's are. A proxy's page proves nothing about a payment. */
  readonly isFromGateway: boolean
  readonly #gatewayMessage: string | null

  constructor(httpStatus: number, gatewayMessage: string | null, form: AnswerForm = "object") {
    super("The gateway refused the request")
    this.httpStatus = httpStatus
    this.isInEnvelope = form === "envelope"
    this.isFromGateway = form !== "other"
    this.#gatewayMessage = gatewayMessage
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
