import { MedusaError } from "@medusajs/framework/utils"
import { NOT_ASKED, type NotAsked } from "../../decision"
import { GatewayError, GatewayMalformed, GatewayRejected, GatewayUnavailable, isRefusal } from "../../gateway"
import type { CryptoPaymentRequestRow } from "./models/crypto-payment-request"
import { providerName } from "./settings/names"

const UNIQUE_VIOLATION = "23505"

/** Else the data are invalid. */
const TYPES: Partial<Record<number, string>> = {
  401: MedusaError.Types.UNAUTHORIZED,
  404: MedusaError.Types.NOT_FOUND,
  409: MedusaError.Types.CONFLICT,
  502: MedusaError.Types.UNEXPECTED_STATE,
  503: MedusaError.Types.UNEXPECTED_STATE,
}

/** Ends a request with a status, a code or fields that core's error handler does not give. Nothing was written. */
export class Refused extends Error {
  override readonly name = "Refused"
  /** Core's, also for a caller that does not know this class. */
  readonly type: string

  constructor(
    readonly status: 400 | 401 | 404 | 408 | 409 | 413 | 415 | 502 | 503,
    readonly body: { message: string; code?: string; [field: string]: unknown }
  ) {
    super(body.message)
    this.type = TYPES[status] ?? MedusaError.Types.INVALID_DATA
  }
}

/** The same work may not run twice at the same time. */
export const alreadyRunning = (message: string): Refused =>
  new Refused(409, { code: "already_running", message })

const ofType =
  (type: string) =>
  (message: string, code?: string): MedusaError =>
    new MedusaError(type, message, code)

export const invalidData = ofType(MedusaError.Types.INVALID_DATA)
export const notAllowed = ofType(MedusaError.Types.NOT_ALLOWED)
export const notFound = ofType(MedusaError.Types.NOT_FOUND)
export const unexpectedState = ofType(MedusaError.Types.UNEXPECTED_STATE)

/** The only place where a failed gateway call becomes a fixed sentence that says what to do next. */
export function toMedusaError(error: unknown): unknown {
  if (!(error instanceof GatewayError)) {
    return error
  }
  // The only field that a payer can correct. The gateway's words only choose between our sentences.
  if (refusesContent(error) && ABOUT_EMAIL.test(error.gatewayMessage ?? "")) {
    return invalidData(
      "The crypto payment service does not accept the e-mail address. Nothing was charged. Correct `email` on the cart or the order, then try again.",
      "email_invalid"
    )
  }
  if (error instanceof GatewayUnavailable) {
    return unexpectedState(
      "The crypto payment service does not answer right now. Nothing was charged. Try again in a minute or choose another payment method.",
      "unreachable"
    )
  }
  if (isRefusal(error)) {
    // Everything, so the admin advises to check the authentication; or only this request.
    const code = refusesContent(error) ? "not_accepted" : "refused"
    return unexpectedState(
      "The crypto payment service refused the request. Nothing was charged. Choose another payment method and tell the shop.",
      code
    )
  }
  return unexpectedState(
    "The crypto payment service gave an answer the shop cannot use. Nothing was charged. Try again in a minute or choose another payment method.",
    "not_this_api"
  )
}

/** Names the field, or calls an address wrong. "Please email support" does neither. */
const ABOUT_EMAIL =
  /payer_email|(invalid|wrong|malformed|valid) e-?mail|e-?mail( address)? (field|is|must|has|should)/i

/**
 * Whether a creation was refused because of its content: by a false success flag, or with 400 or 422. These count in
 * any form: a proxy answers so for a request that it did not pass on, and with 403 or 5xx afterwards. So nothing was
 * created.
 */
export function refusesContent(error: GatewayError): boolean {
  const { httpStatus } = error
  return (
    httpStatus === 400 || httpStatus === 422 || (error instanceof GatewayRejected && error.httpStatus < 300)
  )
}

/** Whoever has a link may have paid it. */
export const linkUnreadError = (code: "unreachable" | "refused"): MedusaError =>
  unexpectedState(
    "The crypto payment service does not say whether this is paid. If you have paid, do not pay again. Otherwise, try again in a minute.",
    code
  )

export const alreadyPaidError = (): MedusaError =>
  notAllowed("This is already paid and is being confirmed.", "already_paid")

export const underReviewError = (): MedusaError =>
  notAllowed("Your payment was received and the shop is checking it. Do not pay again.")

export const partArrivedError = (): MedusaError =>
  notAllowed("Part of your payment has arrived. Pay the rest on the same page.", "partly_paid")

export const cartChangedError = (): MedusaError =>
  notAllowed(
    "The cart costs something else than its payment link asks for. Open the payment step again.",
    "cart_changed"
  )

/** Why a cart must not become an order: a refund was registered, or an admin user closed the case of its payment. */
const COMPLETION_BLOCKS = {
  refunded: "Money of this cart's payment was sent back. Start a new cart to order again.",
  resolved_by_admin: "The shop is reviewing the payment of this cart. Ask the shop before you order again.",
}

export type CompletionBlock = keyof typeof COMPLETION_BLOCKS

/** The cart can be neither paid nor completed. */
export function completionBlockedError(block: CompletionBlock): MedusaError {
  return notAllowed(COMPLETION_BLOCKS[block])
}

/** A settle or a registration of a refund holds the payment, or the payment's capture or order still waits. */
export const beingSettledError = (): MedusaError =>
  notAllowed("This payment is being settled at this moment. Try again in two minutes.", "being_settled")

/** Requests that start a payment of one cart wait for each other. This one waited too long. */
export const beingStartedError = (): MedusaError =>
  notAllowed("Another payment is being started. Try again in a moment.", "being_started")

/** What of a failed gateway call may be logged: code and HTTP status or reason, never its text, body or cause. */
export function describeGatewayError(error: GatewayError): string {
  const reason = error instanceof GatewayUnavailable ? `, ${error.reason}` : ""
  const status = error.httpStatus === null ? reason : `, HTTP ${error.httpStatus}`
  const fields = error instanceof GatewayMalformed ? `, at ${error.fields.join(" ")}` : ""
  return `${error.code}${status}${fields}`
}

/** What of any other error may be logged: its kind. Its text could contain a query's values or a gateway's words. */
export function describeError(error: unknown): string {
  // Not `instanceof`: Redis returns a workflow's error as a plain object.
  if (typeof error !== "object" || error === null) {
    return "unknown"
  }
  const { type, code, name } = error as Record<string, unknown>
  return [type, code, name].find((kind) => typeof kind === "string") ?? "unknown"
}

export function unknownRequestError(id: string): MedusaError {
  return notFound(`The ledger has no payment request ${id.slice(0, 64)}.`)
}

/** Whether another run, or a process that holds a lock of core's, was in the way. */
export function isConflict(error: unknown): boolean {
  return describeError(error) === MedusaError.Types.CONFLICT
}

/** For the merchant: what is missing, and why a saved setting cannot be used. */
export function notConfiguredError(missing: readonly string[], problem: string | null): MedusaError {
  const why = problem === null ? "" : ` ${problem}`
  return invalidData(
    `Crypto payments are not configured yet. Missing: ${missing.join(", ")}.${why} Give them in the provider's options in medusa-config, or in the admin under Settings, Crypto payments.`,
    "not_configured"
  )
}

export function describeMissingProvider(providerId: string): string {
  return (
    `medusa-config registers no crypto payment provider "${providerId}", so its payments cannot be checked, captured or ` +
    `refunded. Register it again under the id "${providerName(providerId)}" and restart the ` +
    "store, then try again."
  )
}

export function isNotAsked(reason: string | null): reason is NotAsked {
  return NOT_ASKED.some((known) => known === reason)
}

export function describeNotAsked(reason: NotAsked, row: CryptoPaymentRequestRow): string {
  return reason === "provider_missing"
    ? describeMissingProvider(row.provider_id)
    : `The payment was made at ${row.gateway_origin}, which is not the gateway address in use, so it is not read. If ` +
        "Settings, Crypto payments, asks whether both are of one gateway account, answer there."
}

export const unknownProviderError = (): MedusaError =>
  notFound("medusa-config registers no crypto payment provider of this id.")

/** The provider of a payment was renamed in medusa-config or removed from it. Nothing was written. */
export function providerMissingError(
  providerId: string,
  type: string = MedusaError.Types.NOT_ALLOWED
): MedusaError {
  return new MedusaError(type, describeMissingProvider(providerId), "provider_missing")
}

/** @returns undefined when the write would break a unique index: the id or the session has a row already */
export async function undefinedOnUniqueViolation<Result>(
  write: PromiseLike<Result>
): Promise<Result | undefined> {
  try {
    return await write
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) {
      return undefined
    }
    throw error
  }
}
