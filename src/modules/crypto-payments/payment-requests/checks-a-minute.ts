const WINDOW_MS = 60_000

/** Limits the gateway checks that one kind of request causes per minute and process: anybody can send requests. */
export class ChecksAMinute {
  private window = { began: Number.NEGATIVE_INFINITY, taken: 0 }

  constructor(private readonly most: number) {}

  /**
   * @param isNeeded is not called when nothing is left of this minute
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
    // Counted before the database answers: many requests may run at once.
    window.taken++
    const isTaken = await isNeeded()
    if (!isTaken) {
      window.taken--
    }
    return isTaken
  }
}
