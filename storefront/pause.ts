const FIRST_MS = 2000
const LONGEST_MS = 15_000

/**
 * How long to wait before asking again: longer each time, and never shorter than the shop said.
 *
 * @param times how often it was asked before, or how often in a row it gave no answer
 */
export function pauseAfter(times: number, retryAfterS = 0, growth = 1.3): number {
  const ms = Math.max(Math.min(FIRST_MS * growth ** times, LONGEST_MS), retryAfterS * 1000)
  // Shoppers who were let wait at the same moment do not all come back at the same moment.
  return ms * (1 + Math.random() / 4)
}

/**
 * Waits; shorter when the page is looked at or the network is back, as a browser lets the timers of a hidden page sleep.
 *
 * @param earliestMs before this nothing wakes it
 * @throws the reason of `signal`
 */
export async function sleepUnlessWoken(ms: number, earliestMs: number, signal?: AbortSignal): Promise<void> {
  const startedAt = Date.now()
  const browser = typeof window === "undefined" ? undefined : window
  const page = browser?.document
  // Ends the listening of all at once.
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
