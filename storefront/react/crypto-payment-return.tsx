import { useEffect, useRef, type ReactElement, type ReactNode } from "react"
import { isSafePaymentLink } from "../index"
import { CryptoPaymentDeadline } from "./crypto-payment-deadline"
import { classes, Look, type LookProps } from "./look"
import { textsIn, type CryptoPaymentTexts } from "./texts"
import {
  useCryptoPaymentReturn,
  type CryptoPaymentReturnState,
  type UseCryptoPaymentReturnOptions,
} from "./use-crypto-payment-return"

/** Which payment is shown, as for `useCryptoPaymentReturn`, and the look and texts of the panel. */
export interface CryptoPaymentReturnProps extends UseCryptoPaymentReturnOptions, LookProps {
  /** Returns to the checkout. Called when there is no open payment page. */
  onTryAgain?: (() => void) | undefined
  /** The way back to the shop or the cart, on every page but `waiting` and `paid`. Default: `/`. */
  backUrl?: string | undefined
  /** Shown below the text, for example a link to the order. */
  children?: ((state: CryptoPaymentReturnState) => ReactNode) | undefined
}

const TICK = "m5 13 5 5 9-12"
const CALL = "M12 4v10m0 5v.5"
/** Drawn, so that all have the same size in every font. */
const MARKS = {
  waiting: "",
  paid: TICK,
  unpaid: CALL,
  partial: CALL,
  failed: CALL,
  delayed: "M5 12h.1m6.9 0h.1m6.9 0h.1",
  review: TICK,
  refunded: "M9 5 4 10l5 5m-5-5h10a5 5 0 0 1 0 10h-3",
  canceled: CALL,
  unknown: "M8 9a4 4 0 1 1 6 3q-2 1-2 3m0 4v.5",
}

/** Nothing follows by itself. */
const ENDS = ["paid", "refunded", "canceled", "unknown"]

/** The page that a returned payer sees. Announces every change, and takes the focus once, as a new page does. */
export function CryptoPaymentReturn(props: CryptoPaymentReturnProps): ReactElement {
  const {
    language,
    texts: own,
    className,
    unstyled,
    nonce,
    onTryAgain,
    backUrl,
    children,
    ...options
  } = props
  const state = useCryptoPaymentReturn(options)
  const { view } = state
  const texts = textsIn(language, own)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  const mark = view === "waiting" ? "crypto-pay-mark crypto-pay-spin" : "crypto-pay-mark"
  return (
    <section dir={texts.dir} data-view={view} className={classes("crypto-pay-panel", className)}>
      <Look unstyled={unstyled} nonce={nonce} />
      <span className={mark} data-view={view} aria-hidden="true">
        <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round">
          <path d={MARKS[view]} />
        </svg>
      </span>
      <div role="status" aria-live="polite" aria-busy={view === "waiting"}>
        <h2 ref={heading} tabIndex={-1}>
          {texts[view].title}
        </h2>
        <p>{(state.orderKept && texts[view].textWithOrder) || texts[view].text}</p>
      </div>
      {(view === "unpaid" || view === "failed") && state.orderKept === true ? (
        state.payUntil === undefined ? (
          <p>{texts.orderKept}</p>
        ) : (
          <CryptoPaymentDeadline payUntil={state.payUntil} language={language} texts={own} unstyled />
        )
      ) : null}
      <NextStep
        state={state}
        texts={texts}
        onTryAgain={onTryAgain}
        refocus={() => heading.current?.focus()}
      />
      {view === "waiting" || view === "paid" ? null : (
        <p className="crypto-pay-notice">
          {state.isChecking && !ENDS.includes(view) ? <span>{texts.checking} </span> : null}
          {state.sessionId === undefined ? null : (
            <span>
              {texts.reference} <bdi dir="ltr">{state.sessionId}</bdi>{" "}
            </span>
          )}
          <a href={backUrl ?? "/"}>{texts.back}</a>
        </p>
      )}
      {children?.(state)}
    </section>
  )
}

interface NextStepProps {
  state: CryptoPaymentReturnState
  texts: CryptoPaymentTexts
  onTryAgain: (() => void) | undefined
  refocus: () => void
}

function NextStep({ state, texts, onTryAgain, refocus }: NextStepProps): ReactElement | null {
  const { view, paymentLink, isChecking, checkAgain } = state
  if (
    (view === "unpaid" || view === "partial") &&
    paymentLink !== undefined &&
    isSafePaymentLink(paymentLink)
  ) {
    return (
      <a className="crypto-pay-button" href={paymentLink} rel="noreferrer">
        {view === "partial" ? texts.payRest : texts.tryAgain}
      </a>
    )
  }
  const retry = view === "unpaid" || view === "failed" ? onTryAgain : undefined
  if (retry === undefined && (isChecking || ENDS.includes(view))) {
    return null
  }
  return (
    <button
      type="button"
      className="crypto-pay-button"
      onClick={() => {
        // The button disappears, and the focus must not be lost with it.
        refocus()
        ;(retry ?? checkAgain)()
      }}
    >
      {retry === undefined ? texts.checkAgain : texts.tryAgain}
    </button>
  )
}
