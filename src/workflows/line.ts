/**
 * Work that waits its turn: so much at once, and no piece of it twice in the line.
 *
 * What is left out or dies with the process has to be found again by other means.
 */
export class Line<T> {
  private readonly waiting = new Map<string, T>()
  private running = 0

  /**
   * @param size how much runs at once, and how much waits at most
   * @param work must not throw: nobody waits for it
   */
  constructor(
    private readonly size: { atOnce: number; longest: number },
    private readonly work: (id: string, what: T) => Promise<void>
  ) {}

  /** @returns false when the line is full and this is left out */
  add(id: string, what: T): boolean {
    if (!this.waiting.has(id) && this.waiting.size >= this.size.longest) {
      return false
    }
    this.waiting.set(id, what)
    if (this.running < this.size.atOnce) {
      void this.workOff()
    }
    return true
  }

  private async workOff(): Promise<void> {
    this.running++
    // Sees also what joins the line meanwhile, and shares it with the others that work it off.
    for (const [id, what] of this.waiting) {
      this.waiting.delete(id)
      await this.work(id, what)
    }
    this.running--
  }
}
