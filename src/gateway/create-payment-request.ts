import type { PaymentRequest } from "./payment-request"

const CURRENCY_SYMBOLS = ["AED", "USD"] as const
export const CURRENCY_SYMBOL_PATTERN = new RegExp(`^(${CURRENCY_SYMBOLS.join("|")})$`)

/** Currency symbols the gateway takes. @see gateway interface, "Create a payment request" */
export type CurrencySymbol = (typeof CURRENCY_SYMBOLS)[number]

/** @param currencyCode any case ("usd") @returns undefined when the gateway does not take the currency */
export function toCurrencySymbol(currencyCode: string): CurrencySymbol | undefined {
  return CURRENCY_SYMBOLS.find((symbol) => symbol === currencyCode.toUpperCase())
}

/** @see gateway interface, "Create a payment request" */
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
