import { z } from "zod"
import type { CurrencySymbol } from "./currencies"
import { toPaymentStatus, type PaymentStatus } from "./dialect"
import { isStorable, readDecimal, readLink, readText, storable } from "./display-fields"
import { exactDecimal } from "./plain-decimal"
import { camelCase, type CamelCase } from "./wire"

const MAX_CURRENCY_CHARACTERS = 64
const MAX_STATUS_CHARACTERS = 64
const MAX_NOTE_CHARACTERS = 500

/**
 * Ids that can be percent-encoded into a path. The interface does not show their form. No slashes and percent signs,
 * which servers on the way may decode too early, and no `.` or `..`, which are folders.
 */
export const PAYMENT_REQUEST_ID_PATTERN = /^(?!\.{1,2}$)[\w.~:@+=-]{1,128}$/

/**
 * Wire form of a payment request: only the four fields that decide about money. `toPaymentRequest` reads the other
 * fields, which are display data, one by one.
 *
 * @see gateway interface, "Payment request"
 */
export const paymentRequestSchema = z.looseObject({
  payment_request_id: z.string().min(1),
  currency_symbol: z.string().max(MAX_CURRENCY_CHARACTERS).refine(isStorable),
  amount: exactDecimal,
  // Any word: a new word must become `UNKNOWN`, and not lose the record.
  payment_status: z.string(),
})

const text = (limit: number) => (received: unknown) => readText(received, limit)

/** How each display field is read, with the most characters that are kept of a text. */
const DISPLAY_FIELDS = {
  /** Required and checked only in the answer to a create. */
  payment_link: readLink,
  /** Our payment session's id, 33 characters. */
  note: text(MAX_NOTE_CHARACTERS),
  payer_email_address: text(320),
  payer_first_name: text(200),
  payer_last_name: text(200),
  /** Cryptocurrency the payer chose; null until then. */
  payment_currency: text(64),
  payment_amount: readDecimal,
  /** Fiat credited to the merchant after the fee. */
  receiving_amount: readDecimal,
  /** BUYER or MERCHANT; other words are kept as received. */
  fee_paid_by: text(64),
  payment_fee_amount: readDecimal,
  /** The interface gives neither meaning nor unit: nothing may depend on it. */
  paid_amount: text(200),
  ref_id: text(200),
}

type DisplayFields = { [Name in keyof typeof DISPLAY_FIELDS as CamelCase<Name>]: string | null }

/**
 * A payment request as the gateway has it. Amounts are decimal strings in major units, 14 fractional digits. Id,
 * amount, currency and status are exactly as the gateway sent them. All other fields are display data: storable in
 * Postgres, and null when they could not be understood.
 *
 * @see gateway interface, "Payment request (as returned by the payment endpoints)"
 */
export interface PaymentRequest extends DisplayFields {
  paymentRequestId: string
  /** Fiat currency: AED or USD. */
  currencySymbol: string
  /** The requested amount, in `currencySymbol`. */
  amount: string
  paymentStatus: PaymentStatus
  /** The status word as received, at most 64 characters. */
  paymentStatusReceived: string
}

/** Wire payment request to ours. No display field can lose the record. */
export function toPaymentRequest(wire: z.output<typeof paymentRequestSchema>): PaymentRequest {
  const { payment_request_id, currency_symbol, amount, payment_status, ...others } = wire
  const display = Object.entries(DISPLAY_FIELDS).map(([name, read]) => [camelCase(name), read(others[name])])
  return {
    paymentRequestId: payment_request_id,
    currencySymbol: currency_symbol,
    amount,
    ...(Object.fromEntries(display) as DisplayFields),
    paymentStatus: toPaymentStatus(payment_status),
    // Characters that cannot be stored are replaced, not removed: otherwise a word that is not PAID could become PAID.
    paymentStatusReceived: storable(payment_status, MAX_STATUS_CHARACTERS, "\ufffd"),
  }
}

/** A record of the list in which a deciding field is missing or wrong. */
export interface UnreadableRecord {
  /** Null if the record has no usable id. */
  paymentRequestId: string | null
  note: string | null
  /** Wire names of the deciding fields that are wrong; `record` when it is no object. Never values. */
  fields: readonly string[]
}

/** Reads the records of a list one by one, so that a broken record affects no other. */
export function readRecords(records: readonly unknown[]): Omit<ListedPage, "pagination"> {
  const read: ReturnType<typeof readRecords> = { paymentRequests: [], unreadable: [] }
  for (const record of records) {
    const { success, data, error } = paymentRequestSchema.safeParse(record)
    if (success) {
      read.paymentRequests.push(toPaymentRequest(data))
      continue
    }
    const { payment_request_id: id, note } = Object(record) as Record<string, unknown>
    read.unreadable.push({
      paymentRequestId: typeof id === "string" && PAYMENT_REQUEST_ID_PATTERN.test(id) ? id : null,
      note: readText(note, MAX_NOTE_CHARACTERS),
      fields: [...new Set(error.issues.map(({ path: [name] }) => String(name ?? "record")))],
    })
  }
  return read
}

const countOrUnknown = z.int().nonnegative().nullable().catch(null)

/** Wire form of the pagination object. A wrong one becomes null and does not lose the page. */
export const paginationSchema = z
  .object({ total_count: countOrUnknown, page_count: countOrUnknown, page_size: countOrUnknown })
  .catch({ total_count: null, page_count: null, page_size: null })

/** Whole numbers; null when the gateway did not say. @see gateway interface, "Pagination object" */
export type Pagination = Record<"totalCount" | "pageCount" | "pageSize", number | null>

/** One page of the gateway's list. */
export interface ListedPage {
  paymentRequests: PaymentRequest[]
  unreadable: UnreadableRecord[]
  pagination: Pagination
}

/** What is asked for. @see gateway interface, "Create a payment request" */
export interface CreatePaymentRequestInput {
  currencySymbol: CurrencySymbol
  /** Plain decimal string in major units of `currencySymbol`, such as `129.90`; no sign, no exponent. */
  amount: string
  successUrl: string
  failedUrl: string
  payerEmailAddress: string
  payerFirstName?: string | null
  payerLastName?: string | null
  /** Echoed by the gateway, also in notifications. */
  note?: string | null
}

/** The answer to a create. Its link was checked. */
export interface CreatedPaymentRequest extends PaymentRequest {
  paymentLink: string
}

/** The JSON text that is sent. Absent optional fields stay absent. */
export function toCreateBody(input: CreatePaymentRequestInput): string {
  return JSON.stringify({
    symbol: input.currencySymbol,
    amount: input.amount,
    ipn_success_url: input.successUrl,
    ipn_failed_url: input.failedUrl,
    payer_email_address: input.payerEmailAddress,
    payer_first_name: input.payerFirstName,
    payer_last_name: input.payerLastName,
    note: input.note,
  })
}
