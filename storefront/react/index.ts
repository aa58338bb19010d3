/**
 * Crypto payments in React: hooks without a look, and a button, an order's page and a return page with one.
 *
 * @packageDocumentation
 */
export { CryptoPayButton, type CryptoPayButtonProps } from "./crypto-pay-button"
export { CryptoPayOrder, type CryptoPayOrderProps } from "./crypto-pay-order"
export { CryptoPaymentDeadline, type CryptoPaymentDeadlineProps } from "./crypto-payment-deadline"
export { CryptoPaymentReturn, type CryptoPaymentReturnProps } from "./crypto-payment-return"
export { cryptoPaymentStyles } from "./look"
export {
  cryptoPaymentErrorText,
  cryptoPaymentTexts,
  type CryptoPaymentLanguage,
  type CryptoPaymentTexts,
} from "./texts"
export { useCryptoOrder, type CryptoOrderShown, type UseCryptoOrderOptions } from "./use-crypto-order"
export {
  useCryptoPayment,
  type CryptoPayment,
  type CryptoPaymentProgress,
  type UseCryptoPaymentOptions,
} from "./use-crypto-payment"
export {
  useCryptoPaymentReturn,
  type CryptoPaymentReturnState,
  type UseCryptoPaymentReturnOptions,
} from "./use-crypto-payment-return"
export type { CryptoPaymentFailure } from "../index"
export type { CryptoPaymentView } from "./view"
