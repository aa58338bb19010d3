import { useRef, type ReactElement, type ReactNode } from "react"
import type { CryptoPaymentFailure, PrepareCryptoPaymentOptions, PreparedCryptoPayment } from "../index"
import { CryptoPayButton } from "./crypto-pay-button"
import { CryptoPaymentDeadline } from "./crypto-payment-deadline"
import { classes, Look, type LookProps } from "./look"
import { textsIn } from "./texts"
import { latin } from "./time-left"
import { useCryptoOrder, type UseCryptoOrderOptions } from "./use-crypto-order"

/** Which order is shown, as for `useCryptoOrder`, who prepares its payment, and the look and texts. */
export interface CryptoPayOrderProps extends UseCryptoOrderOptions, LookProps {
  /** Prepares the payment elsewhere, for example in a server action that calls `safePrepareCryptoPayment`. */
  prepare?:
    | ((payment: PrepareCryptoPaymentOptions) => Promise<PreparedCryptoPayment | CryptoPaymentFailure>)
    | undefined
  /** Default: `pp_crypto_default`. */
  providerId?: string | undefined
  /** The order was paid before, for example in another tab. Default: the order is read again. */
  onAlreadyPaid?: ((sessionId: string) => void) | undefined
  /** Shown below an order that exists, for example its items. */
  children?: ReactNode
}

/** An order's number, what it owes and the state of its payment, with a button where something is to be paid. */
export function CryptoPayOrder(props: CryptoPayOrderProps): ReactElement {
  const { sdk, prepare, providerId, language = "en", texts: own, className, unstyled, nonce } = props
  const { isReading, readAgain, ...order } = useCryptoOrder(props)
  const { state, number, owed, currencyCode, payUntil, paymentCollectionId, paymentSessions } = order
  const texts = textsIn(language, own)
  const said = state === "loading" ? undefined : texts[state]
  const look = { language, texts: own, unstyled: true }
  // Remembered in place of a cart: it opens the payment after the return as well.
  const payment = { cartId: props.orderId, paymentCollectionId, paymentSessions, providerId }
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section
      dir={texts.dir}
      data-view={state}
      className={classes("crypto-pay-panel crypto-pay-order", className)}
    >
      <Look unstyled={unstyled} nonce={nonce} />
      <div role="status" aria-live="polite" aria-busy={isReading}>
        {number === undefined ? null : (
          <p>
            {texts.order} <bdi>#{number}</bdi>
          </p>
        )}
        <h2 ref={heading} tabIndex={-1}>
          {said?.titleWithOrder ?? said?.title}
          {owed === undefined ? null : (
            <>
              {/* The currency by its code: a sign such as $ is that of many, and a code need not be of ISO 4217. */}
              {": "}
              <bdi>
                {new Intl.NumberFormat(latin(language), { minimumFractionDigits: 2 }).format(owed)}
                {"\u00a0"}
                {currencyCode?.toUpperCase()}
              </bdi>
            </>
          )}
        </h2>
        <p>{said?.textWithOrder ?? said?.text}</p>
      </div>
      <CryptoPaymentDeadline {...look} payUntil={payUntil} onOver={readAgain} />
      {paymentCollectionId === undefined ? null : (
        <CryptoPayButton
          {...look}
          {...payment}
          sdk={sdk}
          prepare={prepare && (async () => await prepare(payment))}
          onAlreadyPaid={props.onAlreadyPaid ?? readAgain}
        >
          {state === "to_pay" ? undefined : texts.payRest}
        </CryptoPayButton>
      )}
      {isReading ? (
        <span className="crypto-pay-spin" aria-hidden="true" />
      ) : MAY_CHANGE.includes(state) ? (
        <button
          type="button"
          className="crypto-pay-button"
          onClick={() => {
            // The button disappears, and the focus must not be lost with it.
            heading.current?.focus()
            readAgain()
          }}
        >
          {texts.checkAgain}
        </button>
      ) : null}
      {number === undefined ? null : props.children}
    </section>
  )
}

/** Without the payer's doing. */
const MAY_CHANGE = ["waiting", "partial", "review", "unreachable"]
