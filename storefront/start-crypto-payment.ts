import { rememberCryptoPayment, type CryptoPaymentStorage } from "./memory"
import { goToPaymentLink, type Navigate } from "./payment-link"
import {
  prepareCryptoPayment,
  type PrepareCryptoPaymentOptions,
  type PreparedCryptoPayment,
} from "./prepare-crypto-payment"
import type { StorefrontSdk } from "./sdk"

/** What to pay, and what the browser does about it: where the cart is remembered, how the payer is sent away. */
export interface StartCryptoPaymentOptions extends PrepareCryptoPaymentOptions {
  /** `localStorage` unless given. */
  storage?: CryptoPaymentStorage | undefined
  /** `window.location.assign` unless given. */
  navigate?: Navigate | undefined
}

/**
 * Starts paying, or goes on with it: prepares the payment, remembers its cart for the way back and sends the payer to the
 * payment page.
 *
 * @returns what was prepared; nobody was sent anywhere when it is `already_paid`
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

/** The browser's half of starting, for what a server has prepared. */
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
