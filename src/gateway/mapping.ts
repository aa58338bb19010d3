import type { z } from "zod"
import {
  TEXT_LIMITS,
  readAdditionalFields,
  readDecimal,
  readLink,
  readStatusWord,
  readText,
} from "./display-fields"
import { GatewayMalformed } from "./errors"
import type { balanceSchema, notificationSchema, paginationSchema, paymentRequestSchema } from "./schemas"
import type {
  Balance,
  CreatePaymentRequestInput,
  Notification,
  Pagination,
  PaymentRequest,
  PaymentStatus,
} from "./types"

// Wire names on the left, ours on the right; the other half of schemas.ts.

/** What `parseWire` needs to know to name a failure. */
export interface WireContext {
  /** The path of `value` in the body, e.g. `data`; empty for the body itself. */
  path: string
  httpStatus?: number
  gatewayMessage?: string | null
}

/**
 * Validates one part of a body.
 *
 * @throws GatewayMalformed with the wire paths that are wrong
 */
export function parseWire<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  context: WireContext
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) {
    return result.data
  }
  const fields = result.error.issues.map((issue) => {
    const path = [context.path, ...issue.path].filter((part) => part !== "").join(".")
    return path === "" ? "body" : path
  })
  throw new GatewayMalformed({
    fields: [...new Set(fields)],
    httpStatus: context.httpStatus ?? null,
    gatewayMessage: context.gatewayMessage ?? null,
    cause: result.error,
  })
}

// Exact words only: "paid" or "PAID " is a word we do not know, and a word we do not know is never paid.
function toPaymentStatus(received: string): PaymentStatus {
  return received === "PAID" || received === "UNPAID" || received === "PENDING" ? received : "UNKNOWN"
}

/** Wire payment request to ours: display fields are read one by one, and none of them can lose the record. */
export function toPaymentRequest(wire: z.output<typeof paymentRequestSchema>): PaymentRequest {
  const {
    payment_request_id: paymentRequestId,
    payment_link,
    currency_symbol: currencySymbol,
    amount,
    note,
    payer_email_address,
    payer_first_name,
    payer_last_name,
    payment_currency,
    payment_amount,
    receiving_amount,
    fee_paid_by,
    payment_fee_amount,
    paid_amount,
    ref_id,
    payment_status,
    ...additionalFields
  } = wire
  const word = readStatusWord(payment_status)
  const display = {
    payment_link: readLink(payment_link),
    note: readText(note, TEXT_LIMITS.note),
    payer_email_address: readText(payer_email_address, TEXT_LIMITS.payer_email_address),
    payer_first_name: readText(payer_first_name, TEXT_LIMITS.payer_first_name),
    payer_last_name: readText(payer_last_name, TEXT_LIMITS.payer_last_name),
    payment_currency: readText(payment_currency, TEXT_LIMITS.payment_currency),
    payment_amount: readDecimal(payment_amount),
    receiving_amount: readDecimal(receiving_amount),
    fee_paid_by: readText(fee_paid_by, TEXT_LIMITS.fee_paid_by),
    payment_fee_amount: readDecimal(payment_fee_amount),
    paid_amount: readText(paid_amount, TEXT_LIMITS.paid_amount),
    ref_id: readText(ref_id, TEXT_LIMITS.ref_id),
    payment_status: word,
  }
  return {
    paymentRequestId,
    paymentLink: display.payment_link.value,
    currencySymbol,
    amount,
    note: display.note.value,
    payerEmailAddress: display.payer_email_address.value,
    payerFirstName: display.payer_first_name.value,
    payerLastName: display.payer_last_name.value,
    paymentCurrency: display.payment_currency.value,
    paymentAmount: display.payment_amount.value,
    receivingAmount: display.receiving_amount.value,
    feePaidBy: display.fee_paid_by.value,
    paymentFeeAmount: display.payment_fee_amount.value,
    paidAmount: display.paid_amount.value,
    refId: display.ref_id.value,
    paymentStatus: toPaymentStatus(payment_status),
    paymentStatusReceived: word.value,
    additionalFields: readAdditionalFields(additionalFields),
    ignoredFields: Object.entries(display)
      .filter(([, { isWhole }]) => !isWhole)
      .map(([name]) => name),
  }
}

/** Wire balance to ours. */
export function toBalance(wire: z.output<typeof balanceSchema>): Balance {
  const { asset, value, locked, ...additionalFields } = wire
  return { asset, value, locked, additionalFields }
}

/** Wire pagination to ours. */
export function toPagination(wire: z.output<typeof paginationSchema>): Pagination {
  return { totalCount: wire.total_count, pageCount: wire.page_count, pageSize: wire.page_size }
}

/** Wire notification data to ours. */
export function toNotification(wire: z.output<typeof notificationSchema>): Notification {
  const {
    payment_request_id: paymentRequestId,
    payment_amount: paymentAmount,
    payment_currency: paymentCurrency,
    receiving_amount: receivingAmount,
    paid_cryptocurrency: paidCryptocurrency,
    fee_amount: feeAmount,
    fee_paid_by: feePaidBy,
    payer_email_address: payerEmailAddress,
    payer_first_name: payerFirstName,
    payer_last_name: payerLastName,
    ref_id: refId,
    merchant_id: merchantId,
    merchant_name: merchantName,
    status: statusReceived,
    paid_at: paidAt,
    note,
    ...additionalFields
  } = wire
  return {
    paymentRequestId,
    paymentAmount,
    paymentCurrency,
    receivingAmount,
    paidCryptocurrency,
    feeAmount,
    feePaidBy,
    payerEmailAddress,
    payerFirstName,
    payerLastName,
    refId,
    merchantId,
    merchantName,
    status: toPaymentStatus(statusReceived),
    statusReceived,
    paidAt,
    note,
    additionalFields,
  }
}

/** Our create input to the wire body, as the JSON text that is sent. Absent optional fields stay absent. */
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
