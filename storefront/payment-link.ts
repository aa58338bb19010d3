import { CryptoPaymentError } from "./crypto-payment-error"

/** Opens another page. Default: `window.location.assign`. */
export type Navigate = (url: string) => void

/** Whether a link may be opened: `javascript:` and similar would run in the shop's page. */
export function isSafePaymentLink(link: string): boolean {
  return /^https?:\/\/[^/\\\s]/i.test(link)
}

/** Sends the payer to the payment page. @throws CryptoPaymentError `unsafe_payment_link`, before anything is opened */
export function goToPaymentLink(link: string, navigate: Navigate = assignLocation): void {
  if (!isSafePaymentLink(link)) {
    throw new CryptoPaymentError("unsafe_payment_link")
  }
  navigate(link)
}

function assignLocation(url: string): void {
  window.location.assign(url)
}
