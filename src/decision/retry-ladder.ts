import type { DecidedRow } from "./facts"

const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Interval of checks that go on after the ladder has ended. */
export const MONTH_MS = 30 * DAY_MS

/** For how long after its creation an unpaid request is checked often. */
export const WATCH_WINDOW_MS = 7 * DAY_MS

/** Seconds after a notification of a PAID that the reads do not show: the payer waits on the return page. */
const QUICK_CHECKS_MS = [2, 5, 10, 20, 40].map((seconds) => seconds * 1000)
const FIRST_CHECKS_MS = [1, 3, 8, 18, 38, 78].map((minutes) => minutes * MINUTE_MS)
const LATE_CHECKS_MS = [14, 30, 60, 90].map((days) => days * DAY_MS)

/**
 * When a request is checked next: 1, 3, 8, 18, 38 and 78 minutes after `since`, then hourly for a day, then daily until
 * the watch window ends, then 14, 30, 60 and 90 days after it began.
 *
 * @param since when it was created, notified of, offered again, or first not read
 * @returns null when no check is left
 */
export function nextCheckAt(since: Date, now: Date): Date | null {
  const ageMs = now.getTime() - since.getTime()
  const first = FIRST_CHECKS_MS.find((checkMs) => checkMs > ageMs)
  if (first === undefined && ageMs + DAY_MS <= WATCH_WINDOW_MS) {
    return new Date(now.getTime() + (ageMs < DAY_MS ? HOUR_MS : DAY_MS))
  }
  const next = first ?? [WATCH_WINDOW_MS, ...LATE_CHECKS_MS].find((checkMs) => checkMs > ageMs)
  return next === undefined ? null : new Date(since.getTime() + next)
}

/** When to look again for a PAID that the gateway has reported and its reads do not show yet; else null. */
export function quickCheckAt({ paid_at, notified_at, is_reported_paid }: DecidedRow, now: Date): Date | null {
  if (paid_at !== null || !is_reported_paid || notified_at === null) {
    return null
  }
  const notifiedMs = notified_at.getTime()
  const nextMs = QUICK_CHECKS_MS.find((checkMs) => notifiedMs + checkMs > now.getTime())
  return nextMs === undefined ? null : new Date(notifiedMs + nextMs)
}
