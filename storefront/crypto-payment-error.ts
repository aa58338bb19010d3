/**
 * Why a payment could not be started or followed.
 *
 * - `nothing_to_pay`: the cart costs nothing, as after a promotion of 100 %. Complete it without a payment
 * - `refused`: the shop said no (4xx): the cart is not ready, or the store is set up wrongly. `message` is the shop's sentence
 * - `unreachable`: no answer, or the shop has a problem (5xx). Nothing was paid; trying again is harmless
 * - `no_payment_link`: the shop answered without a payment link; the provider id is another one's
 * - `unsafe_payment_link`: the link is not http(s), so nobody was sent there
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
 * Thrown by every function here. Judge by `code`: two copies of a bundle have two classes. `message` is the shop's sentence
 * where it gave one, for developers: what a payer reads is chosen by `code`.
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
