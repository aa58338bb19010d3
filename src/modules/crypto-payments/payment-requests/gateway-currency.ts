import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"

type Currencies = Pick<CryptoPaymentRequestRow, "gateway_currency_symbol" | "currency_code">

/**
 * Currency of what came (gateway, fee and receiving amount) and of what was sent back of it, for rows `r`. A payer can
 * pay in another than `currency_code`, in which was asked. A row without the gateway's word holds what was asked.
 */
export const GATEWAY_CURRENCY = `COALESCE(NULLIF(lower(r.gateway_currency_symbol), ''), r.currency_code)`

/** The same of a row at hand, lower case as Medusa's codes. */
export function gatewayCurrency({ gateway_currency_symbol: symbol, currency_code }: Currencies): string {
  return symbol?.toLowerCase() || currency_code
}
