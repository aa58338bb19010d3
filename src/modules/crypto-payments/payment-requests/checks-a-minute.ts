const WINDOW_MS = 60_000

/**
 * How many checks of the gateway one kind of request may cause in this process each minute. Whoever sends such requests
 * can send as many as they like.
 */
export class ChecksAMinute {
  private window = { began: Number.NEGATIVE_INFINITY, taken: 0 }

  constructor(private readonly most: number) {}

  /**
   * @param isNeeded is not run when nothing is left of this minute
   * @returns what `isNeeded` answers; only a check that is needed is counted
   */
  async take(isNeeded: () => Promise<boolean>): Promise<boolean> {
    const now = performance.now()
    if (now - this.window.began >= WINDOW_MS) {
      this.window = { began: now, taken: 0 }
    }
    const window = this.window
    if (window.taken >= this.most) {
      return false
    }
    // Counted before the database answers: many requests may be under way.
    window.taken++
    const isTaken = await isNeeded()
    if (!isTaken) {
      window.taken--
    }
    return isTaken
  }
}
