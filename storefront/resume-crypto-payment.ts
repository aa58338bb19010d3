import { browserStorage, recallCryptoPayment, type CryptoPaymentStorage } from "./memory"
import { readCryptoPayment } from "./read-crypto-payment"
import type { StorefrontSdk } from "./sdk"
import {
  waitForCryptoPayment,
  type CryptoPaymentOutcome,
  type WaitForCryptoPaymentOptions,
} from "./wait-for-crypto-payment"

/** Which payment a return page is about. */
export interface CryptoPaymentReturnPlace {
  sessionId: string
  /** From this browser's own memory or from the caller, never from the URL. */
  cartId?: string | undefined
}

/** Where a return page looks for its payment. In a browser everything may be left out. */
export interface FindReturnOptions {
  /** The return page's URL; `window.location.href` unless given. */
  url?: string | undefined
  /** The cart the shop knows of itself, as from its cookie; what was remembered at the start goes first. */
  cartId?: string | undefined
  storage?: CryptoPaymentStorage | undefined
}

/**
 * Finds which payment the payer comes back from. Of the URL only `session_id` is read, and nobody has to believe it: the
 * shop tells its order and link only to who knows the cart.
 *
 * @returns undefined when the URL names no payment
 */
export function findReturn({
  url = typeof window === "undefined" ? undefined : window.location.href,
  cartId,
  storage = browserStorage(),
}: FindReturnOptions = {}): CryptoPaymentReturnPlace | undefined {
  // Anywhere, since a hash router has its query behind the `#`, and a gateway appends `?payment_id=1` to either.
  const sessionId = /[?&]session_id=([\w-]+)/.exec(url ?? "")?.[1]
  if (sessionId === undefined) {
    return undefined
  }
  const remembered = recallCryptoPayment(sessionId, storage)
  return { sessionId, cartId: (remembered?.sessionId !== sessionId && cartId) || remembered?.cartId }
}

/** Where to find the payment and how long to wait for it; the status is read with the `sdk` given with this. */
export interface ResumeCryptoPaymentOptions
  extends FindReturnOptions, Omit<WaitForCryptoPaymentOptions, "read"> {
  headers?: Record<string, string> | undefined
}

/**
 * What a return page does: finds the payment and waits for the shop's last word. Opening it twice, long after, without
 * having paid, in another browser or with somebody else's id is all well.
 *
 * @throws CryptoPaymentError `refused`; the reason of `signal`
 */
export async function resumeCryptoPayment(
  sdk: StorefrontSdk,
  { headers, ...options }: ResumeCryptoPaymentOptions = {}
): Promise<CryptoPaymentOutcome> {
  const place = findReturn(options)
  if (place === undefined) {
    return { outcome: "unknown" }
  }
  return await waitForCryptoPayment({
    ...options,
    read: async (signal) => await readCryptoPayment(sdk, { ...place, headers, signal }),
  })
}
