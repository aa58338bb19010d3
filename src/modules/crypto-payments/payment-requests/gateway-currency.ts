import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"

type Currencies = Pick<CryptoPaymentRequestRow, "gateway_currency_symbol" | "currency_code">

/**
 * Currency of the received amounts (gateway, fee and receiving amount) and of their refunds, for rows `r`. A payer can
 * pay in another currency than the requested one, `currency_code`. That one counts where the gateway has named none.
 */
export const GATEWAY_CURRENCY = `COALESCE(NULLIF(lower(r.gateway_currency_symbol), ''), r.currency_code)`

/** The same of a row at hand, lower case as Medusa's codes. */
export function gatewayCurrency({ gateway_currency_symbol: symbol, currency_code }: Currencies): string {
  return symbol?.toLowerCase() || currency_code
}
