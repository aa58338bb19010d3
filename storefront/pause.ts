const FIRST_MS = 2000
const LONGEST_MS = 15_000

/**
 * How long to wait before the next request: longer each time, and never shorter than the store's `Retry-After`.
 *
 * @param times earlier requests, or failures in a row
 */
export function pauseAfter(times: number, retryAfterS = 0, growth = 1.3): number {
  const ms = Math.max(Math.min(FIRST_MS * growth ** times, LONGEST_MS), retryAfterS * 1000)
  // Random, so that shoppers who wait since the same moment do not all ask at the same moment.
  return ms * (1 + Math.random() / 4)
}

/**
 * Waits. Ends early when the page becomes visible or the network is back, because browsers pause timers of hidden
 * pages.
 *
 * @param earliestMs nothing ends the wait before this
 * @throws the reason of `signal`
 */
export async function sleepUnlessWoken(ms: number, earliestMs: number, signal?: AbortSignal): Promise<void> {
  const startedAt = Date.now()
  const browser = typeof window === "undefined" ? undefined : window
  const page = browser?.document
  // Removes all listeners at once.
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, ms)
      const wake = () => {
        if (page?.visibilityState !== "hidden" && Date.now() - startedAt >= earliestMs) {
          resolve()
        }
      }
      page?.addEventListener("visibilitychange", wake, listening)
      browser?.addEventListener("online", wake, listening)
      signal?.addEventListener(
        "abort",
        () => {
          reject(signal.reason as Error)
        },
        listening
      )
    })
  } finally {
    clearTimeout(timer)
    listening.abort()
  }
}
