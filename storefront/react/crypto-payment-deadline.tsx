import { useEffect, useRef, useState, type ReactElement } from "react"
import { readCryptoPayment, type CryptoPaymentSession, type StorefrontSdk } from "../index"
import { classes, Look, type LookProps } from "./look"
import { textsIn } from "./texts"
import { shortTime, timeLeft } from "./time-left"

/** Which order's time is shown: `payUntil`, or the store's answer about `paymentSessions`. */
export interface CryptoPaymentDeadlineProps extends LookProps {
  /** Until when the order is kept, from `CryptoPaymentStatus`. Without it the component asks the store. */
  payUntil?: string | undefined
  /** The shop's js-sdk. Not needed with `payUntil`. */
  sdk?: StorefrontSdk | undefined
  /** The sessions of the order's payment collection. Not needed with `payUntil`. */
  paymentSessions?: CryptoPaymentSession[] | undefined
  /** Called once when the time runs out: load the order again, which the store cancels soon. */
  onOver?: (() => void) | undefined
}

/** Shows until when an unpaid order is kept, and counts down. Shows nothing for an order without a limit. */
export function CryptoPaymentDeadline(props: CryptoPaymentDeadlineProps): ReactElement | null {
  const { language = "en", texts: own, className, unstyled, nonce, onOver } = props
  const payUntil = usePayUntil(props)
  const until = payUntil === undefined ? undefined : new Date(payUntil)
  // Neither the server's clock nor its time zone is the payer's: nothing is shown before the page runs.
  const [now, setNow] = useState<number>()
  const latest = useRef(onOver)
  const wasOpen = useRef(false)
  const left = until && timeLeft(until, language, now)
  const isOver = until !== undefined && now !== undefined && left === undefined
  useEffect(() => {
    latest.current = onOver
    wasOpen.current ||= left !== undefined
  })
  useEffect(() => {
    if (isOver) {
      // A page that is opened later shows the same and has nothing to load again.
      if (wasOpen.current) {
        latest.current?.()
      }
      return undefined
    }
    const tick = () => {
      setNow(Date.now())
    }
    if (payUntil === undefined) {
      return undefined
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => {
      clearInterval(timer)
    }
  }, [isOver, payUntil])
  if (until === undefined || now === undefined) {
    return null
  }
  const texts = textsIn(language, own)
  return (
    <p dir={texts.dir} className={classes("crypto-pay-deadline", className)}>
      <Look unstyled={unstyled} nonce={nonce} />
      {left === undefined ? (
        texts.timeOver
      ) : (
        <>
          {texts.orderKeptUntil.replace("{time}", shortTime(until, language))} {texts.timeLeft}{" "}
          <b role="timer" dir="auto">
            {left}
          </b>
        </>
      )}
    </p>
  )
}

/** Asks the store once. Without an answer no time is shown: the order page works without it. */
function usePayUntil({ payUntil, sdk, paymentSessions }: CryptoPaymentDeadlineProps): string | undefined {
  const [read, setRead] = useState<string>()
  const ids = (paymentSessions ?? [])
    .map(({ data }) => data?.session_id)
    .filter((id) => typeof id === "string")
    .join()
  useEffect(() => {
    const leaving = new AbortController()
    const ask = async () => {
      for (const sessionId of ids.split(",").filter(Boolean)) {
        const status = await readCryptoPayment(sdk as StorefrontSdk, { sessionId, signal: leaving.signal })
        if (status.payUntil !== undefined) {
          setRead(status.payUntil)
          return
        }
      }
    }
    if (payUntil === undefined && sdk !== undefined) {
      ask().catch(() => undefined)
    }
    return () => {
      leaving.abort()
    }
  }, [payUntil, sdk, ids])
  return payUntil ?? read
}
