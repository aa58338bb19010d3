// The gateway's own words: of a signed request's headers, and of a payment's status.

/** The headers of `auth: {type: "signature"}`, unless it names others. @see docs/gateway.md */
export const SIGNATURE_HEADERS = {
  apiKey: "X-Palla-Api-Key",
  timestamp: "X-Palla-Timestamp",
  signature: "X-Palla-Sign",
}

/** Gateway status. `UNKNOWN` means any status that the interface does not list; it is never treated as paid. */
export type PaymentStatus = "PAID" | "UNPAID" | "PENDING" | "UNKNOWN"

/** UNPAID in any case, with or without blanks around it. SQL compares with the same expression. */
export const UNPAID_WORD = /^[ \t\r\n]*UNPAID[ \t\r\n]*$/i
/** The same for PENDING. */
export const PENDING_WORD = /^[ \t\r\n]*PENDING[ \t\r\n]*$/i

/**
 * Words that say that an attempt to pay has ended without a payment. The interface lists none of them. REFUNDED is one:
 * the payer has the money back, so a second link makes nobody pay twice. SQL compares with the same expression. It has
 * no `?`, because knex takes that for a binding.
 */
export const END_WORDS =
  /^[ \t\r\n]*(EXPIRED|CANCEL(ED|LED)|FAILED|DECLINED|REJECTED|VOIDED|TIMEOUT|REFUNDED)[ \t\r\n]*$/i

/** PAID is exact: "paid" and "PAID " are unknown words, and an unknown word is never paid. */
export function toPaymentStatus(received: string): PaymentStatus {
  if (received === "PAID") {
    return "PAID"
  }
  if (UNPAID_WORD.test(received)) {
    return "UNPAID"
  }
  return PENDING_WORD.test(received) ? "PENDING" : "UNKNOWN"
}

/** Whether a word is neither of the interface nor an end word. */
export function isUnknownWord(received: string): boolean {
  return toPaymentStatus(received) === "UNKNOWN" && !END_WORDS.test(received)
}
