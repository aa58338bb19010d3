import { setTimeout as delay } from "node:timers/promises"
import type { LeasedRow } from "./queue"

const RETRY_EVERY_MS = 1000
/** As long as a lease: then it ends by itself. */
const RETRY_FOR_MS = 2 * 60_000
const POLL_MS = 50

/**
 * The settles that run in this process, so that an orderly stop can wait for them. Rows in the database are the truth:
 * when the process is killed, their leases end by themselves.
 */
export class RunningSettles {
  private readonly running = new Map<string, { lease: LeasedRow; isInCore: boolean }>()
  private isStopping = false

  /** @returns false when the process is about to end: nothing new is begun */
  begin(lease: LeasedRow): boolean {
    if (this.isStopping) {
      return false
    }
    this.running.set(lease.lease_id, { lease, isInCore: false })
    return true
  }

  /** From now on the settle changes Medusa: it must end by itself. */
  enterCore({ lease_id }: LeasedRow): void {
    const settle = this.running.get(lease_id)
    if (settle !== undefined) {
      settle.isInCore = true
    }
  }

  end({ lease_id }: LeasedRow): void {
    this.running.delete(lease_id)
  }

  /** Tries again every second, for as long as a lease lasts, what the database did not take. */
  retry(work: () => Promise<void>): void {
    void (async () => {
      for (let waitedMs = 0; waitedMs < RETRY_FOR_MS; waitedMs += RETRY_EVERY_MS) {
        await delay(RETRY_EVERY_MS, undefined, { ref: false })
        try {
          await work()
          return
        } catch {
          // Still away: tried again, until the lease has ended by itself.
        }
      }
    })()
  }

  /**
   * Begins nothing new and waits for what runs. What has not ended by then and does not change Medusa gives its row
   * back, so that another process settles it at once.
   */
  async stop(limitMs: number, release: (lease: LeasedRow) => Promise<void>): Promise<void> {
    this.isStopping = true
    for (let waitedMs = 0; this.running.size > 0 && waitedMs < limitMs; waitedMs += POLL_MS) {
      await delay(POLL_MS)
    }
    const left = [...this.running.values()].filter(({ isInCore }) => !isInCore)
    await Promise.all(left.map(async ({ lease }) => await release(lease)))
  }
}
