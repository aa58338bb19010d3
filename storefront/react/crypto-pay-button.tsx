import type { ReactElement, ReactNode } from "react"
import { exceededCryptoLimit, type CryptoAmountLimits } from "../index"
import { classes, Look, type LookProps } from "./look"
import { textsIn, type CryptoPaymentTexts } from "./texts"
import { useCryptoPayment, type UseCryptoPaymentOptions } from "./use-crypto-payment"

/** What to pay, as for `useCryptoPayment`, and the look and texts of the button. */
export interface CryptoPayButtonProps extends UseCryptoPaymentOptions, LookProps {
  disabled?: boolean | undefined
  /** The cart's `total`, which is compared with `limits`. */
  amount?: number | undefined
  /** The provider's `amount_limits`. Outside of them the button is off and says why. */
  limits?: CryptoAmountLimits | undefined
  /** Whether the page offers other ways to pay. Then an error mentions them. */
  hasOtherWays?: boolean | undefined
  /** Replaces the button's text. */
  children?: ReactNode
}

/** Sends the payer to the payment page. Shows an error below, with what to do next. */
export function CryptoPayButton(props: CryptoPayButtonProps): ReactElement {
  const {
    language,
    texts: own,
    className,
    disabled,
    hasOtherWays,
    unstyled,
    nonce,
    children,
    ...options
  } = props
  const { state, error, pay } = useCryptoPayment(options)
  const texts = textsIn(language, own)
  const isBusy = state === "redirecting"
  const outside = limitWords(props, texts)
  const isOff = isBusy || disabled === true || outside !== undefined
  return (
    <div dir={texts.dir}>
      <Look unstyled={unstyled} nonce={nonce} />
      <button
        type="button"
        className={classes("crypto-pay-button crypto-pay-wide", className)}
        // Not `disabled`: the button would lose the keyboard focus.
        aria-disabled={isOff}
        aria-busy={isBusy}
        onClick={() => {
          if (!isOff) {
            void pay()
          }
        }}
      >
        {isBusy ? <span className="crypto-pay-spin" aria-hidden="true" /> : null}
        {isBusy ? texts.redirecting : (children ?? texts.pay)}
      </button>
      <p className="crypto-pay-notice" role="status">
        {state === "already_paid" ? texts.alreadyPaid : outside}
      </p>
      {/* Rendered before it is needed: some screen readers ignore an alert that appears together with its text. */}
      <p className="crypto-pay-error" role="alert">
        {state === "failed" ? (
          <>
            <b aria-hidden="true">!</b>
            <span>
              {texts.errors[error] ?? texts.errors.unreachable}
              {hasOtherWays === true ? ` ${texts.otherWay}` : null}
            </span>
          </>
        ) : null}
      </p>
    </div>
  )
}

function limitWords(
  { amount, limits, hasOtherWays }: CryptoPayButtonProps,
  { limit, otherWay }: CryptoPaymentTexts
): string | undefined {
  const exceeded = exceededCryptoLimit(amount, limits)
  if (exceeded === undefined) {
    return undefined
  }
  // Isolated: in a text from right to left, the currency would come first.
  const { [exceeded]: bound, currency_code } = limits as CryptoAmountLimits
  const figure = String(bound).replace(/\B(?=(\d{3})+\b)/g, ",")
  const money = `\u2066${figure} ${currency_code.toUpperCase()}\u2069`
  return limit[exceeded].replace("{amount}", money) + (hasOtherWays ? ` ${otherWay}` : "")
}
