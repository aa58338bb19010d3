const WINDOW_MS = 60_000
/** Beyond these a payer who returns waits for the notification, the schedule, or the next minute. */
export const MOST_A_MINUTE = 60

/**
 * How many checks of the gateway payers may cause in this process by looking at their return page. A visitor can open
 * as many sessions as he likes and look at each.
 */
export class ReturnChecks {
  private window = { began: Number.NEGATIVE_INFINITY, taken: 0 }

  /**
   * @param makeDue is not run when nothing is left of this minute
   * @returns what `makeDue` answers; only a check that it has caused is counted
   */
  async take(makeDue: () => Promise<boolean>): Promise<boolean> {
    const now = performance.now()
    if (now - this.window.began >= WINDOW_MS) {
      this.window = { began: now, taken: 0 }
    }
    const window = this.window
    if (window.taken >= MOST_A_MINUTE) {
      return false
    }
    // Counted before the database answers: many polls may be under way.
    window.taken++
    const isDue = await makeDue()
    if (!isDue) {
      window.taken--
    }
    return isDue
  }
}
