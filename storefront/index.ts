/**
 * Crypto payments for a storefront: without a framework or dependencies, in a browser or on a server.
 *
 * @packageDocumentation
 */
export { exceededCryptoLimit, type CryptoAmountLimits } from "./amount-limits"
export { CryptoPaymentError, type CryptoPaymentErrorCode } from "./crypto-payment-error"
export {
  browserStorage,
  forgetCryptoPayments,
  recallCryptoPayment,
  rememberCryptoPayment,
  type CryptoPaymentStorage,
  type RememberedCryptoPayment,
} from "./memory"
export { goToPaymentLink, isSafePaymentLink, type Navigate } from "./payment-link"
export {
  isCryptoProvider,
  prepareCryptoPayment,
  safePrepareCryptoPayment,
  type CryptoPaymentFailure,
  type CryptoPaymentSession,
  type PrepareCryptoPaymentOptions,
  type PreparedCryptoPayment,
} from "./prepare-crypto-payment"
export {
  readCryptoOrder,
  type CryptoOrder,
  type CryptoOrderState,
  type ReadCryptoOrderOptions,
} from "./read-crypto-order"
export {
  isFinalStatus,
  readCryptoPayment,
  type CryptoPaymentStatus,
  type ReadCryptoPaymentOptions,
} from "./read-crypto-payment"
export {
  findCryptoSession,
  findReturn,
  resumeCryptoPayment,
  type CryptoPaymentReturnPlace,
  type FindReturnOptions,
  type ResumeCryptoPaymentOptions,
} from "./resume-crypto-payment"
export type { StorefrontRequest, StorefrontSdk } from "./sdk"
export { leaveToPay, startCryptoPayment, type StartCryptoPaymentOptions } from "./start-crypto-payment"
export { withoutStaleAnswers } from "./without-stale-answers"
export {
  waitForCryptoPayment,
  type CryptoPaymentOutcome,
  type WaitForCryptoPaymentOptions,
} from "./wait-for-crypto-payment"
