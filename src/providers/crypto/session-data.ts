import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"

/** Exactly what we keep in `session.data` and `payment.data`; a storefront can read it. Amount in major units. */
export function toSessionData(row: CryptoPaymentRequestRow): Record<string, string> {
  return {
    session_id: row.session_id,
    payment_request_id: row.payment_request_id ?? "",
    payment_link: row.payment_link ?? "",
    amount: row.amount,
    currency_code: row.currency_code,
  }
}

/**
 * The two ids that find a row again. Core passes back what we returned, but on one compensation path only what the
 * storefront sent: so the ids are checked against the ledger and never trusted.
 */
export function readIds(data: Record<string, unknown> | undefined): {
  sessionId: string | undefined
  paymentRequestId: string | undefined
} {
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
  return { sessionId: text(data?.["session_id"]), paymentRequestId: text(data?.["payment_request_id"]) }
}
