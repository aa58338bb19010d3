import type { CryptoPaymentError } from "./crypto-payment-error"
import { pauseAfter, sleepUnlessWoken } from "./pause"
import { isFinalStatus, type CryptoPaymentStatus } from "./read-crypto-payment"

/**
 * How waiting ended.
 *
 * - `paid`, `failed`, `unknown`: the store's final answer
 * - `review`: paid, and the shop is reviewing the payment
 * - `delayed`: no final answer within `maxWaitMs`; `last` is the last answer
 */
export interface CryptoPaymentOutcome {
  outcome: "paid" | "failed" | "unknown" | "review" | "delayed"
  orderId?: string | undefined
  last?: CryptoPaymentStatus | undefined
}

/** Times in milliseconds. */
export interface WaitForCryptoPaymentOptions {
  /** Reads the status once: `(signal) => readCryptoPayment(sdk, { sessionId, cartId, signal })`. */
  read: (signal: AbortSignal) => Promise<CryptoPaymentStatus>
  /** Ends the waiting; its reason is thrown. */
  signal?: AbortSignal | undefined
  /** Called for every answer. */
  onStatus?: ((status: CryptoPaymentStatus) => void) | undefined
  /** Default: fifteen minutes. */
  maxWaitMs?: number | undefined
}

const MAX_WAIT_MS = 15 * 60_000
const READ_TIMEOUT_MS = 20_000

/**
 * Asks until the store's answer is final. Asks less often over time, never sooner than the store's `Retry-After`, and
 * at once when the page becomes visible again. Continues when the store does not answer.
 *
 * @throws CryptoPaymentError `refused`; the reason of `signal`
 */
export async function waitForCryptoPayment({
  read,
  signal,
  onStatus,
  maxWaitMs = MAX_WAIT_MS,
}: WaitForCryptoPaymentOptions): Promise<CryptoPaymentOutcome> {
  const until = Date.now() + maxWaitMs
  let last: CryptoPaymentStatus | undefined
  let failures = 0
  for (let asked = 0; ; asked++) {
    const status = await readWithin(READ_TIMEOUT_MS, read, signal)
    failures = status === undefined ? failures + 1 : 0
    if (status !== undefined) {
      last = status
      onStatus?.(status)
    }
    const pauseMs = failures > 0 ? pauseAfter(failures, 0, 2) : pauseAfter(asked, status?.retryAfterS)
    if ((status !== undefined && isFinalStatus(status)) || Date.now() + pauseMs > until) {
      return toOutcome(last)
    }
    await sleepUnlessWoken(pauseMs, (status?.retryAfterS ?? 1) * 1000, signal)
  }
}

/** @returns undefined without an answer in time */
async function readWithin(
  ms: number,
  read: WaitForCryptoPaymentOptions["read"],
  signal: AbortSignal | undefined
): Promise<CryptoPaymentStatus | undefined> {
  signal?.throwIfAborted()
  const call = new AbortController()
  const giveUp = () => {
    call.abort()
  }
  signal?.addEventListener("abort", giveUp, call)
  const timer = setTimeout(giveUp, ms)
  try {
    // A race, because `read` may ignore its signal.
    const givenUp = new Promise<never>((_resolve, reject) => {
      call.signal.onabort = reject
    })
    return await Promise.race([read(call.signal), givenUp])
  } catch (error) {
    signal?.throwIfAborted()
    if ((error as Partial<CryptoPaymentError> | undefined)?.code === "refused") {
      throw error
    }
    return undefined
  } finally {
    clearTimeout(timer)
    // Removes the listener too.
    giveUp()
  }
}

function toOutcome(last: CryptoPaymentStatus | undefined): CryptoPaymentOutcome {
  const { status, orderId, review } = last ?? {}
  // No other status is ever final.
  const end = last && isFinalStatus(last) ? (status as "paid" | "failed" | "unknown") : "delayed"
  return { outcome: review && !orderId ? "review" : end, orderId, last }
}
