import { waitAtMost } from "../waiting"

/** The settles of this process, so that an orderly stop can wait for them. After a kill, leases end automatically. */
export class RunningSettles {
  private readonly running = new Set<Promise<unknown>>()
  /** The sweeps of this process that have not ended. One that hangs keeps a connection, and is not begun again. */
  readonly sweeps = new Set<string>()
  /** From then on, no settle begins to change Medusa. */
  isStopping = false

  /** An orderly stop waits for this work: otherwise its row would stay leased until the lease ends. */
  async finish<T>(work: () => Promise<T>): Promise<T> {
    const promise = work()
    this.running.add(promise)
    try {
      return await promise
    } finally {
      this.running.delete(promise)
    }
  }

  /**
   * Waits until nothing runs here. A settle that has not ended by the limit keeps its row: nobody else may settle it
   * while core works on it. Every signal to the process calls this again.
   */
  async stop(limitMs: number): Promise<void> {
    this.isStopping = true
    await waitAtMost(limitMs, this.untilNothingRuns()).catch(() => undefined)
  }

  private async untilNothingRuns(): Promise<void> {
    while (this.running.size > 0) {
      await Promise.allSettled(this.running)
    }
  }
}
