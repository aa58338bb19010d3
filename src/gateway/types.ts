/** Gateway status. `UNKNOWN` means any status that the interface does not list; it is never treated as paid. */
export type PaymentStatus = "PAID" | "UNPAID" | "PENDING" | "UNKNOWN"

/**
 * A payment request as the gateway has it. Amounts are decimal strings in major units, 14 fractional digits.
 *
 * Id, amount, currency and status are as the gateway sent them, or there is no record. Everything else is display
 * data: null when it could not be understood, and storable in Postgres. `ignoredFields` names what was lost.
 *
 * @see gateway interface, "Payment request (as returned by the payment endpoints)"
 */
export interface PaymentRequest {
  paymentRequestId: string
  /** Where the payer is sent. Required and checked only in the answer to a create. */
  paymentLink: string | null
  /** Fiat currency: AED or USD. */
  currencySymbol: string
  /** The requested amount, in `currencySymbol`. */
  amount: string
  note: string | null
  payerEmailAddress: string | null
  payerFirstName: string | null
  payerLastName: string | null
  /** Cryptocurrency the payer chose; null until then. */
  paymentCurrency: string | null
  /** In `paymentCurrency`. */
  paymentAmount: string | null
  /** Fiat credited to the merchant after the fee. */
  receivingAmount: string | null
  /** BUYER or MERCHANT; other words are kept as they came. */
  feePaidBy: string | null
  /** Fiat. */
  paymentFeeAmount: string | null
  /** The interface gives neither meaning nor unit: decide nothing by it. */
  paidAmount: string | null
  refId: string | null
  paymentStatus: PaymentStatus
  /** The status word as it came, at most 64 characters. */
  paymentStatusReceived: string
  /** Fields the interface does not list, under their wire names: at most 50, cut to a bounded size. */
  additionalFields: Record<string, unknown>
  /** Wire names of the fields that are not as the gateway sent them: not understood, cleaned or cut. Never values. */
  ignoredFields: readonly string[]
}

/** The answer to a create: its link is there and was checked. */
export interface CreatedPaymentRequest extends PaymentRequest {
  paymentLink: string
}

/** A record of the list that lacks what decides. */
export interface UnreadableRecord {
  /** Null if the record has no id with which it could be read. */
  paymentRequestId: string | null
  note: string | null
  /** Wire names of the deciding fields that are wrong; `record` when it is no object. Never values. */
  fields: readonly string[]
}

/** One page of the gateway's list. */
export interface ListedPage {
  /** In the gateway's order. */
  paymentRequests: PaymentRequest[]
  /** A broken record costs only itself. */
  unreadable: UnreadableRecord[]
  pagination: Pagination
}

/** One asset's balance, decimal strings with 14 fractional digits. @see gateway interface, "Balance" */
export interface Balance {
  asset: string
  value: string
  /** The locked part of the balance. */
  locked: string
  additionalFields: Record<string, unknown>
}

/** Whole numbers; null when the gateway did not say. @see gateway interface, "Pagination object" */
export interface Pagination {
  totalCount: number | null
  pageCount: number | null
  pageSize: number | null
}

/**
 * What a payment request is made from.
 *
 * @see gateway interface, "Create a payment request"
 */
export interface CreatePaymentRequestInput {
  currencySymbol: "AED" | "USD"
  /** Plain decimal string in major units of `currencySymbol`, such as `129.90`; no sign, no exponent. */
  amount: string
  /** Where the payer is sent after paying. */
  successUrl: string
  /** Where the payer is sent otherwise. */
  failedUrl: string
  payerEmailAddress: string
  payerFirstName?: string | null
  payerLastName?: string | null
  /** Echoed by the gateway, also in notifications. */
  note?: string | null
}

/**
 * The fields of a notification. Not the truth about a payment: see `approvalHash`. Read the payment request instead.
 * Mind the names: here payment amount and currency are fiat, the cryptocurrency is `paidCryptocurrency`.
 *
 * @see gateway interface, "Notification body"
 */
export interface Notification {
  paymentRequestId: string
  /** Fiat, decimal string. */
  paymentAmount: string
  /** Fiat currency. */
  paymentCurrency: string
  receivingAmount: string | null
  paidCryptocurrency: string | null
  /** Fiat. */
  feeAmount: string | null
  feePaidBy: string | null
  payerEmailAddress: string
  payerFirstName: string | null
  payerLastName: string | null
  refId: string | null
  merchantId: string
  merchantName: string
  status: PaymentStatus
  /** The status word as it came. */
  statusReceived: string
  /** Format not given by the interface: kept as it came. */
  paidAt: string | null
  note: string | null
  additionalFields: Record<string, unknown>
}
