import { browserStorage, recallCryptoPayment, type CryptoPaymentStorage } from "./memory"
import { isCryptoProvider, type CryptoPaymentSession } from "./prepare-crypto-payment"
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

/** Where a return page looks for its payment. In a browser, all fields are optional. */
export interface FindReturnOptions {
  /** The return page's URL. Default: `window.location.href`. */
  url?: string | undefined
  /** The cart that the shop itself knows, for example from its cookie. A remembered cart has priority. */
  cartId?: string | undefined
  storage?: CryptoPaymentStorage | undefined
}

/**
 * Finds the payment that the payer returns from. Reads only the session's id from the URL, which need not be trusted: the
 * store gives order and link only with the right cart or order.
 *
 * @returns undefined when the URL names no payment
 */
export function findReturn({
  url = typeof window === "undefined" ? undefined : window.location.href,
  cartId,
  storage = browserStorage(),
}: FindReturnOptions = {}): CryptoPaymentReturnPlace | undefined {
  // Anywhere in the URL, as `{session_id}` may be: in its path, its query, or behind the `#` of a hash router.
  const sessionId = /payses_\w+/.exec(url ?? "")?.[0]
  if (sessionId === undefined) {
    return undefined
  }
  const remembered = recallCryptoPayment(sessionId, storage)
  const ofSession = (remembered?.sessionId !== sessionId && cartId) || remembered?.cartId
  return { sessionId, ...(ofSession && { cartId: ofSession }) }
}

interface CartAnswer {
  cart: { payment_collection?: { payment_sessions?: CryptoPaymentSession[] } | null }
}

/**
 * The payment session of a cart, for a checkout page whose cart has become an order: its return page shows that order.
 *
 * @returns undefined without a crypto payment, and when the store does not answer
 */
export async function findCryptoSession(
  sdk: StorefrontSdk,
  { cartId, headers = {} }: { cartId: string | undefined; headers?: Record<string, string> | undefined }
): Promise<string | undefined> {
  if (cartId === undefined) {
    return undefined
  }
  const path = `/store/carts/${encodeURIComponent(cartId)}`
  const answer = await sdk.client
    .fetch<CartAnswer>(path, { headers, cache: "no-store" })
    .catch(() => undefined)
  const sessions = answer?.cart.payment_collection?.payment_sessions ?? []
  const session = sessions.find(({ provider_id }) => isCryptoProvider(provider_id))
  return session && String(session.data?.session_id)
}

/** Where to find the payment and how long to wait for it. */
export interface ResumeCryptoPaymentOptions
  extends FindReturnOptions, Omit<WaitForCryptoPaymentOptions, "read"> {
  headers?: Record<string, string> | undefined
}

/**
 * What a return page does: finds the payment and waits for the final answer. It works when the page is opened twice,
 * much later, without a payment, in another browser or with somebody else's id.
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
