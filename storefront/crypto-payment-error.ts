/**
 * Why a payment could not be started or followed.
 *
 * - `nothing_to_pay`: the cart costs nothing, as after a promotion of 100 %. Complete it without a payment
 * - `refused`: the store refused (4xx): the cart is not ready, or the store's set-up is wrong. `message` is the store's
 * - `unreachable`: no answer, or an error of the store (5xx, 408, 429). Nothing was paid; trying again is harmless
 * - `no_payment_link`: the store answered without a payment link; the provider id is another provider's
 * - `unsafe_payment_link`: the link is not http(s), so the payer was not sent there
 * - `order_not_placed`: with `placeOrderFirst`, the cart could not become an order
 */
export type CryptoPaymentErrorCode =
  | "nothing_to_pay"
  | "refused"
  | "unreachable"
  | "no_payment_link"
  | "unsafe_payment_link"
  | "order_not_placed"

/**
 * Thrown by every function here. Check `code`, not the class: two copies of a bundle have two classes. `message` is for
 * developers, and is the store's if it gave one. Choose the payer's text by `code`.
 */
export class CryptoPaymentError extends Error {
  override readonly name = "CryptoPaymentError"

  constructor(
    readonly code: CryptoPaymentErrorCode,
    readonly cause?: unknown
  ) {
    const { message } = (cause ?? {}) as { message?: unknown }
    super(typeof message === "string" ? message : code)
  }
}
