import { CryptoPaymentError } from "./crypto-payment-error"
import { httpStatusOf, type StorefrontSdk } from "./sdk"

/**
 * The store's answer about a payment. Plain data: a server may read it and pass it to a browser.
 *
 * - `paid`: captured, or the order was paid another way; `orderId` once the order exists, for its shopper only
 * - `processing`: the payment is in progress
 * - `awaiting_payment`: nothing was paid yet; `paymentLink` for its shopper only
 * - `failed`: the link is not offered any more; or, with `attemptFailed`, the last attempt did not go through; or, with
 *   `refunded`, the money was sent back
 * - `unknown`: there is no such payment
 */
export interface CryptoPaymentStatus {
  status: "paid" | "processing" | "awaiting_payment" | "failed" | "unknown"
  orderId?: string | undefined
  paymentLink?: string | undefined
  /** Money was received, or is said to have been, and the shop is reviewing the payment. */
  review?: boolean | undefined
  /** The money was received and all of it was sent back. Only with `failed`. */
  refunded?: boolean | undefined
  /** The last attempt ended without a payment. Another attempt gets another link. Only with `failed`. */
  attemptFailed?: boolean | undefined
  /** A part has arrived; the rest is paid by the same link. Only with `awaiting_payment`. */
  partArrived?: boolean | undefined
  /** An order was placed and waits for this payment. */
  orderKept?: boolean | undefined
  /** The order is cancelled and needs no payment. Only with `failed`. */
  orderCanceled?: boolean | undefined
  /** Until when that order can be paid, ISO 8601; absent without a limit. */
  payUntil?: string | undefined
  /** Seconds after which to ask again; absent when the answer is final. */
  retryAfterS?: number | undefined
}

/** Which payment to read, and as whom. */
export interface ReadCryptoPaymentOptions {
  /** The payment session's id, `payses_…`, from the return URL. */
  sessionId: string
  /** The session's cart or order, from the shop's own memory. Without it the answer has no order id. */
  cartId?: string | undefined
  /** For example `authorization`, when a server asks for its customer. */
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
}

/** Up to what a gateway appended to a URL with a query. */
const SESSION_ID = /^[\w-]{1,100}(?=[?&]|$)/
const WORDS = ["paid", "processing", "awaiting_payment", "failed"] as const

/**
 * Reads the status of a payment once: `GET /store/crypto-payments/:session_id`.
 *
 * @throws CryptoPaymentError `unreachable`, `refused`; never for an unknown id
 */
export async function readCryptoPayment(
  sdk: StorefrontSdk,
  { sessionId, cartId, headers, signal }: ReadCryptoPaymentOptions
): Promise<CryptoPaymentStatus> {
  const [id] = SESSION_ID.exec(sessionId) ?? []
  if (id === undefined) {
    return { status: "unknown" }
  }
  try {
    const response = await sdk.client.fetch<Response>(`/store/crypto-payments/${id}`, {
      // With another accept header than JSON, the js-sdk returns the response itself, with its Retry-After. The cart's
      // id opens the cart in Medusa, so it is not sent in the URL, which appears in access logs.
      headers: { ...headers, accept: "*/*", ...(cartId === undefined ? {} : { "x-cart-id": cartId }) },
      signal: signal ?? null,
      // Next.js 14 would keep the first answer for ever, whatever its headers say.
      cache: "no-store",
    })
    return toStatus(await response.json(), response.headers.get("retry-after"))
  } catch (error) {
    if (httpStatusOf(error) === 404) {
      return { status: "unknown" }
    }
    throw signal?.aborted ? error : toCryptoPaymentError(error)
  }
}

/** Whether the answer cannot change any more. */
export function isFinalStatus({ status, retryAfterS }: CryptoPaymentStatus): boolean {
  return status === "unknown" || ((status === "paid" || status === "failed") && retryAfterS === undefined)
}

function toStatus(body: unknown, retryAfter: string | null): CryptoPaymentStatus {
  const said = (body ?? {}) as Partial<Record<string, unknown>>
  const word = WORDS.find((each) => each === said["status"])
  if (word === undefined) {
    throw new Error("not a store")
  }
  const isTrue = (name: string) => said[name] === true || undefined
  const textOf = (name: string) => (typeof said[name] === "string" ? said[name] : undefined)
  return {
    status: word,
    orderId: textOf("order_id"),
    paymentLink: textOf("payment_link"),
    review: isTrue("review"),
    refunded: isTrue("refunded"),
    attemptFailed: isTrue("attempt_failed"),
    partArrived: isTrue("part_arrived"),
    orderKept: isTrue("order_kept"),
    orderCanceled: isTrue("order_canceled"),
    payUntil: textOf("pay_until"),
    retryAfterS: Number(retryAfter) || undefined,
  }
}

/** After 408 and 429, ask again; any other 4xx is final. */
export function toCryptoPaymentError(error: unknown): CryptoPaymentError {
  const isRefusal = /^4(?!08|29)/.test(String(httpStatusOf(error)))
  return new CryptoPaymentError(isRefusal ? "refused" : "unreachable", error)
}
