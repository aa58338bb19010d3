const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** How often is tried what goes on after the ladder has ended. */
export const MONTH_MS = 30 * DAY_MS

/** How long an unpaid request is watched closely after it was created. */
export const WATCH_WINDOW_MS = 7 * DAY_MS

/**
 * After a notification that reports PAID, while the gateway's reads do not show it: the payer waits on the return page.
 */
const QUICK_CHECKS_MS = [2, 5, 10, 20, 40].map((seconds) => seconds * 1000)
const FIRST_DELAYS_MS = [1, 2, 5, 10, 20, 40].map((minutes) => minutes * MINUTE_MS)
const LATE_CHECKS_MS = [14, 30, 60, 90].map((days) => days * DAY_MS)

/**
 * When a request is checked next: after 1, 2, 5, 10, 20 and 40 minutes, then hourly for a day, then daily until
 * the watch window ends, then 14, 30, 60 and 90 days after it began.
 *
 * @param since when it began to be watched: when it was created, notified of, offered again, or first not read
 * @param now the time of the check just made
 * @returns the next check, or null when none is left
 */
export function nextCheckAt(since: Date, now: Date): Date | null {
  const ageMs = now.getTime() - since.getTime()
  let dueMs = 0
  for (const delay of FIRST_DELAYS_MS) {
    dueMs += delay
    if (dueMs > ageMs) {
      return new Date(since.getTime() + dueMs)
    }
  }
  if (ageMs < DAY_MS) {
    return new Date(now.getTime() + HOUR_MS)
  }
  if (ageMs + DAY_MS <= WATCH_WINDOW_MS) {
    return new Date(now.getTime() + DAY_MS)
  }
  const late = [WATCH_WINDOW_MS, ...LATE_CHECKS_MS].find((checkMs) => checkMs > ageMs)
  return late === undefined ? null : new Date(since.getTime() + late)
}

/**
 * When a request is read again after a notification reported PAID and the read does not show it: 2, 5, 10, 20 and 40
 * seconds after the notification.
 *
 * @returns null when these are over, and the ordinary ladder applies
 */
function nextQuickCheckAt(notifiedAt: Date, now: Date): Date | null {
  const ageMs = now.getTime() - notifiedAt.getTime()
  const nextMs = QUICK_CHECKS_MS.find((checkMs) => checkMs > ageMs)
  return nextMs === undefined ? null : new Date(notifiedAt.getTime() + nextMs)
}

/** What says whether the gateway has told of a PAID that its reads do not show yet. */
interface ReportedPayment {
  paid_at: Date | null
  notified_at: Date | null
  is_reported_paid: boolean
}

/** When a PAID that the gateway has told of, and that its reads do not show yet, is looked for again; else null. */
export function quickCheckAt(
  { paid_at, notified_at, is_reported_paid }: ReportedPayment,
  now: Date
): Date | null {
  return paid_at === null && is_reported_paid && notified_at !== null
    ? nextQuickCheckAt(notified_at, now)
    : null
}
