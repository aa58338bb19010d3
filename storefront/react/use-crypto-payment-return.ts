import { useCallback, useEffect, useRef, useState } from "react"
import {
  findReturn,
  readCryptoPayment,
  waitForCryptoPayment,
  type CryptoPaymentReturnPlace,
  type CryptoPaymentStatus,
  type CryptoPaymentStorage,
  type StorefrontSdk,
  type WaitForCryptoPaymentOptions,
} from "../index"
import { toView, type CryptoPaymentView } from "./view"

/** Which payment to follow, with `sdk` in this browser or `read` elsewhere. One of the two is required. */
export interface UseCryptoPaymentReturnOptions {
  /** The shop's js-sdk. Not needed with `read`. */
  sdk?: StorefrontSdk | undefined
  /** Reads the status elsewhere, for example in a Next.js server action that calls `readCryptoPayment`. */
  read?: ((place: CryptoPaymentReturnPlace) => Promise<CryptoPaymentStatus>) | undefined
  /** Default: from the page's URL. */
  sessionId?: string | undefined
  /** The cart that the shop itself knows, for example from its cookie. */
  cartId?: string | undefined
  storage?: CryptoPaymentStorage | undefined
  /**
   * Whether this is the page for failed payments: then "not paid" is shown at once. It never makes a payment fail.
   * Default: whether the page's URL has `failed` in its query.
   */
  hintsFailure?: boolean | undefined
  /** After this time the payer reads that it takes longer. Default: 30 s. */
  slowAfterMs?: number | undefined
  /** After this time the page stops asking. Default: 15 minutes. */
  maxWaitMs?: number | undefined
  /**
   * Called once with the order's id, which only the order's shopper gets: empty the cart now, if the store says that it
   * is complete. An order that is paid on its own page has nothing to do with the cart.
   */
  onOrder?: ((orderId: string) => void) | undefined
}

/** What to show, and what the payer can do next. */
export interface CryptoPaymentReturnState {
  view: CryptoPaymentView
  /** The payment's session, by which the shop finds it; absent where the page's URL has none. */
  sessionId?: string | undefined
  orderId?: string | undefined
  /** The link, while the payer can still pay. */
  paymentLink?: string | undefined
  /** An order was placed and waits for this payment. */
  orderKept?: boolean | undefined
  /** Until when that order can be paid, ISO 8601; absent without a limit. */
  payUntil?: string | undefined
  /** Whether the page is asking the store. */
  isChecking: boolean
  checkAgain: () => void
}

interface Heard {
  sessionId?: string | undefined
  status?: CryptoPaymentStatus | undefined
  orderId?: string | undefined
  hasEnded: boolean
  isSlow: boolean
}

const SLOW_AFTER_MS = 30_000
const NOTHING: Heard = { hasEnded: false, isSlow: false }

/** Follows a payment after its payer returned, until the answer is final. */
export function useCryptoPaymentReturn(options: UseCryptoPaymentReturnOptions): CryptoPaymentReturnState {
  const { sessionId, cartId, slowAfterMs = SLOW_AFTER_MS, maxWaitMs, hintsFailure = isFailedUrl() } = options
  if (options.sdk === undefined && options.read === undefined) {
    throw new Error("give `sdk` or `read`")
  }
  const [heard, setHeard] = useState(NOTHING)
  const [round, setRound] = useState(0)
  const latest = useRef(options)
  const toldOrder = useRef<string | undefined>(undefined)
  useEffect(() => {
    latest.current = options
  })

  // Another session, another payment.
  useEffect(() => {
    setHeard(NOTHING)
  }, [sessionId])

  useEffect(() => {
    const leaving = new AbortController()
    const hear = (news: Partial<Heard>, otherwise?: Partial<Heard>) => {
      if (!leaving.signal.aborted) {
        setHeard((known) => ({ ...otherwise, ...known, ...news }))
      }
    }
    const place = placeOf(latest.current)
    hear({ ...NOTHING, sessionId: place?.sessionId })
    const timer = setTimeout(() => {
      hear({ isSlow: true })
    }, slowAfterMs)
    const onStatus = (status: CryptoPaymentStatus) => {
      const { orderId } = status
      // Without the cart, which the shop empties once it has the order, the store names no order any more.
      hear({ status, ...(orderId && { orderId }) })
      if (orderId && toldOrder.current !== orderId) {
        toldOrder.current = orderId
        latest.current.onOrder?.(orderId)
      }
    }
    void follow(latest.current, place, { maxWaitMs, signal: leaving.signal, onStatus }).then(
      () => {
        hear({ hasEnded: true })
      },
      () => {
        // The store refuses to answer. Without an earlier answer, nothing is known of the payment.
        hear({ hasEnded: true }, { status: { status: "unknown" } })
      }
    )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [sessionId, cartId, slowAfterMs, maxWaitMs, round])

  const checkAgain = useCallback(() => {
    setRound((before) => before + 1)
  }, [])
  const { status, hasEnded, isSlow } = heard
  return {
    sessionId: heard.sessionId,
    view: toView({ status, hasEnded, isSlow, hintsFailure }),
    isChecking: !hasEnded,
    checkAgain,
    orderId: heard.orderId,
    paymentLink: status?.paymentLink,
    orderKept: status?.orderKept,
    payUntil: status?.payUntil,
  }
}

const isFailedUrl = (): boolean => typeof window !== "undefined" && /[?&]failed\b/.test(window.location.href)

function placeOf({ sessionId, cartId, storage }: UseCryptoPaymentReturnOptions) {
  const url = sessionId && `?session_id=${encodeURIComponent(sessionId)}`
  return findReturn({ url, cartId, storage })
}

async function follow(
  { sdk, read }: UseCryptoPaymentReturnOptions,
  place: CryptoPaymentReturnPlace | undefined,
  waiting: Omit<WaitForCryptoPaymentOptions, "read">
): Promise<void> {
  await waitForCryptoPayment({
    ...waiting,
    read: async (signal) => {
      if (!place) {
        return { status: "unknown" }
      }
      return await (read ? read(place) : readCryptoPayment(sdk as StorefrontSdk, { ...place, signal }))
    },
  })
}
