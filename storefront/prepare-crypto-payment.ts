import { CryptoPaymentError, type CryptoPaymentErrorCode } from "./crypto-payment-error"
import { readCryptoPayment, toCryptoPaymentError } from "./read-crypto-payment"
import type { StorefrontSdk } from "./sdk"

/** What to pay, and with which provider: `cartId`, or `paymentCollectionId` for an existing order. */
export interface PrepareCryptoPaymentOptions {
  cartId?: string | undefined
  /** Pays an existing order: the id of its payment collection. `cartId`, or the order's id in its place, is then only remembered. */
  paymentCollectionId?: string | undefined
  /**
   * With `paymentCollectionId`: its sessions, as `readCryptoOrder` returns them. When the payment is refused, they show
   * whether the order was paid meanwhile, for example in another tab.
   */
  paymentSessions?: CryptoPaymentSession[] | undefined
  /** Default: `pp_crypto_default`. */
  providerId?: string | undefined
  /** For a store with `orderPlacement: "before_payment"`: places the order before the payer leaves. */
  placeOrderFirst?: boolean | undefined
  /** For example `authorization`, when a server asks for its customer. */
  headers?: Record<string, string> | undefined
}

/** Plain data: a server may prepare it and hand it to a browser. */
export interface PreparedCryptoPayment {
  /**
   * - `open`: send the payer to `paymentLink`
   * - `already_paid`: paid before, for example in another tab. Show `sessionId` on the return page instead
   */
  status: "open" | "already_paid"
  sessionId: string
  paymentLink?: string | undefined
  cartId?: string | undefined
  /** The order, if it is placed already. */
  orderId?: string | undefined
}

/** The fields of a payment session that are read here. */
export interface CryptoPaymentSession {
  provider_id?: string | undefined
  data?: { session_id?: unknown; payment_link?: unknown }
}

/** Whether a payment provider of the Store API is one of crypto payments. */
export function isCryptoProvider(providerId?: string): boolean {
  return providerId?.startsWith("pp_crypto_") === true
}

interface CollectionAnswer {
  payment_collection: {
    id: string
    amount?: number
    payment_sessions?: CryptoPaymentSession[] | undefined
  }
}

/**
 * Creates the cart's payment collection and session, or uses the open ones, and returns the payment link. The store
 * gives the same link again while cart, amount and payer are the same.
 *
 * @throws CryptoPaymentError
 */
export async function prepareCryptoPayment(
  sdk: StorefrontSdk,
  options: PrepareCryptoPaymentOptions
): Promise<PreparedCryptoPayment> {
  const { cartId, paymentCollectionId, providerId = "pp_crypto_default", placeOrderFirst } = options
  const post = poster(sdk, options.headers)
  const { payment_collection }: CollectionAnswer = paymentCollectionId
    ? { payment_collection: { id: paymentCollectionId, payment_sessions: options.paymentSessions } }
    : await post("/store/payment-collections", { cart_id: cartId })
  const { id, amount, payment_sessions: before = [] } = payment_collection
  let sessions: CryptoPaymentSession[] | undefined
  try {
    // Here, because a session of the cart may have been paid before the cart cost nothing.
    if (amount === 0) {
      throw new CryptoPaymentError("nothing_to_pay")
    }
    const path = `/store/payment-collections/${encodeURIComponent(id)}/payment-sessions`
    const answer = await post<CollectionAnswer>(path, { provider_id: providerId })
    sessions = answer.payment_collection.payment_sessions
  } catch (error) {
    const paid = await findPaid(sdk, before, options)
    if (paid === undefined) {
      throw error
    }
    return paid
  }
  const { session_id: sessionId, payment_link: paymentLink } =
    sessions?.find((session) => session.provider_id === providerId)?.data ?? {}
  if (typeof sessionId !== "string" || typeof paymentLink !== "string") {
    throw new CryptoPaymentError("no_payment_link")
  }
  const orderId = placeOrderFirst && cartId ? await placeOrder(post, cartId) : undefined
  return { status: "open", sessionId, paymentLink, cartId, orderId }
}

/** What a server action returns instead of an error: Next.js hides what it throws. */
export interface CryptoPaymentFailure {
  status: "failed"
  code: CryptoPaymentErrorCode
}

/** `prepareCryptoPayment` for a server action: it returns why it failed, and never throws. */
export async function safePrepareCryptoPayment(
  sdk: StorefrontSdk,
  options: PrepareCryptoPaymentOptions
): Promise<PreparedCryptoPayment | CryptoPaymentFailure> {
  try {
    return await prepareCryptoPayment(sdk, options)
  } catch (error) {
    return { status: "failed", code: (error as Partial<CryptoPaymentError>).code ?? "unreachable" }
  }
}

type Post = <T>(path: string, body: Record<string, unknown>) => Promise<T>

function poster(sdk: StorefrontSdk, headers: Record<string, string> = {}): Post {
  return async (path, body) => {
    try {
      return await sdk.client.fetch(path, { method: "POST", body, headers })
    } catch (error) {
      throw toCryptoPaymentError(error)
    }
  }
}

/** After a refused session, the cart may be paid already, or in part. Its status shows that. */
async function findPaid(
  sdk: StorefrontSdk,
  sessions: CryptoPaymentSession[],
  { cartId, headers }: PrepareCryptoPaymentOptions
): Promise<PreparedCryptoPayment | undefined> {
  for (const { data } of sessions) {
    const sessionId = String(data?.session_id)
    // Without an answer, the caller gets the refusal itself.
    const found = await readCryptoPayment(sdk, { sessionId, cartId, headers }).catch(() => undefined)
    if (found?.partArrived && data?.payment_link) {
      // The rest is paid by the same link.
      return { status: "open", sessionId, paymentLink: data.payment_link as string, cartId }
    }
    if (found?.status === "paid" || found?.status === "processing") {
      return { status: "already_paid", sessionId, cartId, orderId: found.orderId }
    }
  }
  return undefined
}

async function placeOrder(post: Post, cartId: string): Promise<string> {
  const { order, error } = await post<{ order?: { id: string }; error?: unknown }>(
    `/store/carts/${encodeURIComponent(cartId)}/complete`,
    {}
  )
  if (order === undefined) {
    throw new CryptoPaymentError("order_not_placed", error)
  }
  return order.id
}
