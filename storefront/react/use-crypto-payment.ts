import { useCallback, useEffect, useRef, useState } from "react"
import {
  CryptoPaymentError,
  leaveToPay,
  prepareCryptoPayment,
  type CryptoPaymentErrorCode,
  type CryptoPaymentFailure,
  type PreparedCryptoPayment,
  type StartCryptoPaymentOptions,
  type StorefrontSdk,
} from "../index"

/** By then the payer has left, or something prevented it: the Esc key, or an app that took the link. */
const LEFT_WITHIN_MS = 5000

/** What to pay, and who prepares it: `sdk` in this browser, or `prepare` elsewhere. One of the two is required. */
export interface UseCryptoPaymentOptions extends StartCryptoPaymentOptions {
  /** The shop's js-sdk. Not needed with `prepare`. */
  sdk?: StorefrontSdk | undefined
  /** Prepares the payment elsewhere, for example in a Next.js server action that calls `safePrepareCryptoPayment`. */
  prepare?: (() => Promise<PreparedCryptoPayment | CryptoPaymentFailure>) | undefined
  /** With `placeOrderFirst`: called when the order is placed, before the payer leaves. */
  onOrder?: ((orderId: string) => void) | undefined
  /** The cart was paid before: go to the return page with this as `?session_id=`. */
  onAlreadyPaid?: ((sessionId: string) => void) | undefined
}

/** `error` says why it failed. */
export type CryptoPaymentProgress =
  | { state: "idle" | "redirecting" | "already_paid"; error?: undefined }
  | { state: "failed"; error: CryptoPaymentErrorCode }

/** The progress, and the function that starts the payment. */
export type CryptoPayment = CryptoPaymentProgress & {
  /** Starts paying. A second call while the payer is leaving does nothing. */
  pay: () => Promise<void>
}

/** Starts a crypto payment, and returns its progress. */
export function useCryptoPayment(options: UseCryptoPaymentOptions): CryptoPayment {
  if (options.sdk === undefined && options.prepare === undefined) {
    throw new Error("give `sdk` or `prepare`")
  }
  const [progress, setProgress] = useState<CryptoPaymentProgress>({ state: "idle" })
  const latest = useRef(options)
  const isBusy = useRef(false)
  const stay = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = options
  })
  const settle = useCallback((next: CryptoPaymentProgress) => {
    clearTimeout(stay.current)
    isBusy.current = next.state === "redirecting"
    setProgress(next)
  }, [])
  useEffect(() => {
    // The browser's "back" may restore this page: it must not wait for the payment page, which was opened already.
    const wakeUp = ({ persisted }: PageTransitionEvent) => {
      if (persisted) {
        settle({ state: "idle" })
      }
    }
    window.addEventListener("pageshow", wakeUp)
    return () => {
      window.removeEventListener("pageshow", wakeUp)
      clearTimeout(stay.current)
    }
  }, [settle])

  const pay = useCallback(async () => {
    if (isBusy.current) {
      return
    }
    settle({ state: "redirecting" })
    try {
      const { current } = latest
      const prepared = await prepareWith(current)
      if (prepared.orderId !== undefined) {
        current.onOrder?.(prepared.orderId)
      }
      leaveToPay(prepared, current)
      if (prepared.status === "already_paid") {
        settle({ state: "already_paid" })
        current.onAlreadyPaid?.(prepared.sessionId)
      } else {
        stay.current = setTimeout(() => {
          settle({ state: "idle" })
        }, LEFT_WITHIN_MS)
      }
    } catch (error) {
      settle({ state: "failed", error: codeOf(error) })
    }
  }, [settle])
  return { ...progress, pay }
}

/** Prepares in this browser or elsewhere. @throws CryptoPaymentError, also for a failure that was returned */
export async function prepareWith({
  sdk,
  prepare,
  ...options
}: UseCryptoPaymentOptions): Promise<PreparedCryptoPayment> {
  const prepared = await (prepare ? prepare() : prepareCryptoPayment(sdk as StorefrontSdk, options))
  if (prepared.status === "failed") {
    throw new CryptoPaymentError(prepared.code)
  }
  return prepared
}

/** An error that a server action threw has no code; a returned `CryptoPaymentFailure` has one. */
function codeOf(error: unknown): CryptoPaymentErrorCode {
  return (error as { code?: CryptoPaymentErrorCode } | undefined)?.code ?? "unreachable"
}
