import { useEffect, useRef, useState, type ReactElement } from "react"
import { classes, Look, type LookProps } from "./look"
import { textsIn } from "./texts"
import { shortTime, timeLeft } from "./time-left"

/** Which time is shown. */
export interface CryptoPaymentDeadlineProps extends LookProps {
  /** Until when the order is kept, from `CryptoOrder` or `CryptoPaymentStatus`. Absent for an order without a limit. */
  payUntil?: string | undefined
  /** Called once when the time runs out: load the order again, which the store cancels soon. */
  onOver?: (() => void) | undefined
}

/** Shows until when an unpaid order is kept, and counts down. Shows nothing for an order without a limit. */
export function CryptoPaymentDeadline(props: CryptoPaymentDeadlineProps): ReactElement | null {
  const { language = "en", texts: own, className, unstyled, nonce, payUntil, onOver } = props
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
