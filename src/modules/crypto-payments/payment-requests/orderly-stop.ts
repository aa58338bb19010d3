import { setTimeout as delay } from "node:timers/promises"
import { waitAtMost } from "../waiting"
import { LEASE_MS } from "./leases"

const RETRY_EVERY_MS = 1000

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

  retry(work: () => Promise<void>): void {
    void (async () => {
      for (let waitedMs = 0; waitedMs < LEASE_MS; waitedMs += RETRY_EVERY_MS) {
        await delay(RETRY_EVERY_MS, undefined, { ref: false })
        try {
          await work()
          return
        } catch {
          // The database still does not answer: the lease ends by itself.
        }
      }
    })()
  }

  /**
   * Asks the other processes to take what is due, and waits until nothing runs here. A settle that has not ended by the
   * limit keeps its row: nobody else may settle it while core works on it. Every signal to the process calls this again.
   */
  async stop(limitMs: number, wakeOthers: () => Promise<void>): Promise<void> {
    if (!this.isStopping) {
      this.isStopping = true
      void this.finish(wakeOthers)
    }
    await waitAtMost(limitMs, this.untilNothingRuns()).catch(() => undefined)
  }

  private async untilNothingRuns(): Promise<void> {
    while (this.running.size > 0) {
      await Promise.allSettled(this.running)
    }
  }
}
