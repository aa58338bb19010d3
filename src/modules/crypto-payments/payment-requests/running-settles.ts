import { setTimeout as delay } from "node:timers/promises"
import { waitAtMost } from "../wait-at-most"
import type { LeasedRow } from "./queue"

const RETRY_EVERY_MS = 1000
/** As long as a lease lasts. */
const RETRY_FOR_MS = 2 * 60_000

/** The process is stopping, and this settle has not changed Medusa yet: its row is released. */
export class SettleStopped extends Error {
  override readonly name = "SettleStopped"
}

/** The settles of this process, so that an orderly stop can wait for them. After a kill, leases end automatically. */
export class RunningSettles {
  private readonly running = new Map<string, { lease: LeasedRow; isInCore: boolean }>()
  /** Rows that are being leased or released. */
  private readonly awaited = new Set<Promise<unknown>>()
  private stopped: Promise<void> | undefined
  private noteEnd: () => void = () => undefined

  get isStopping(): boolean {
    return this.stopped !== undefined
  }

  /** @returns false when the process is stopping */
  begin(lease: LeasedRow): boolean {
    if (this.isStopping) {
      return false
    }
    this.running.set(lease.lease_id, { lease, isInCore: false })
    return true
  }

  /** From now on the settle changes Medusa, and a stop waits for it. @throws SettleStopped when a stop came first */
  enterCore({ lease_id }: LeasedRow): void {
    const settle = this.running.get(lease_id)
    if (settle === undefined) {
      return
    }
    if (this.isStopping && !settle.isInCore) {
      throw new SettleStopped()
    }
    settle.isInCore = true
  }

  end({ lease_id }: LeasedRow): void {
    this.running.delete(lease_id)
    this.noteEnd()
  }

  /** An orderly stop waits for this work: otherwise its row would stay leased until the lease ends. */
  async finish<T>(work: () => Promise<T>): Promise<T> {
    const promise = work()
    this.awaited.add(promise)
    try {
      return await promise
    } finally {
      this.awaited.delete(promise)
      this.noteEnd()
    }
  }

  retry(work: () => Promise<void>): void {
    void (async () => {
      for (let waitedMs = 0; waitedMs < RETRY_FOR_MS; waitedMs += RETRY_EVERY_MS) {
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
   * Begins nothing new, hands over the rows of the settles that have not changed Medusa yet, and waits for the others.
   * A settle that has not ended by the limit keeps its row: nobody else may settle it while core works on it. Errors of
   * the handing over are ignored: the leases end by themselves. Every signal to the process calls this again.
   */
  async stop(limitMs: number, handOver: (leases: LeasedRow[]) => Promise<void>): Promise<void> {
    this.stopped ??= this.handOverAndWait(limitMs, handOver)
    await this.stopped
  }

  private async handOverAndWait(
    limitMs: number,
    handOver: (leases: LeasedRow[]) => Promise<void>
  ): Promise<void> {
    const outside = [...this.running.values()].filter(({ isInCore }) => !isInCore)
    this.finish(async () => {
      await handOver(outside.map(({ lease }) => lease))
    }).catch(() => undefined)
    const allEnded = new Promise<void>((resolve) => {
      this.noteEnd = () => {
        if (this.awaited.size === 0 && [...this.running.values()].every(({ isInCore }) => !isInCore)) {
          resolve()
        }
      }
      this.noteEnd()
    })
    await waitAtMost(limitMs, allEnded).catch(() => undefined)
  }
}
