import { rememberCryptoPayment, type CryptoPaymentStorage } from "./memory"
import { goToPaymentLink, type Navigate } from "./payment-link"
import {
  prepareCryptoPayment,
  type PrepareCryptoPaymentOptions,
  type PreparedCryptoPayment,
} from "./prepare-crypto-payment"
import type { StorefrontSdk } from "./sdk"

/** What to pay, where the cart is remembered, and how the payer is sent away. */
export interface StartCryptoPaymentOptions extends PrepareCryptoPaymentOptions {
  /** Default: `localStorage`. */
  storage?: CryptoPaymentStorage | undefined
  /** Default: `window.location.assign`. */
  navigate?: Navigate | undefined
}

/**
 * Starts or continues paying: prepares the payment, remembers its cart for the return and sends the payer to the
 * payment page.
 *
 * @returns what was prepared; with `already_paid`, the payer was not sent anywhere
 * @throws CryptoPaymentError
 */
export async function startCryptoPayment(
  sdk: StorefrontSdk,
  { storage, navigate, ...options }: StartCryptoPaymentOptions
): Promise<PreparedCryptoPayment> {
  const prepared = await prepareCryptoPayment(sdk, options)
  leaveToPay(prepared, { storage, navigate })
  return prepared
}

/** The browser's part of starting, for a payment that a server has prepared. */
export function leaveToPay(
  prepared: PreparedCryptoPayment,
  { storage, navigate }: Pick<StartCryptoPaymentOptions, "storage" | "navigate">
): void {
  const { status, cartId, sessionId, paymentLink = "" } = prepared
  if (cartId) {
    rememberCryptoPayment({ sessionId, cartId }, storage)
  }
  if (status === "open") {
    goToPaymentLink(paymentLink, navigate)
  }
}
