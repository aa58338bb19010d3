import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import { SETTLE_MS, type LeasedRow } from "../modules/crypto-payments/payment-requests/leases"
import type { DueRow, SettleKind } from "../modules/crypto-payments/payment-requests/queue"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { isPaused, refuseWhilePaused } from "../modules/crypto-payments/paused"
import { untilTaken, waitAtMost } from "../modules/crypto-payments/waiting"
import { warn } from "./core/settling"
import { settle, settleUnchanged, type Asked, type SettleEnd } from "./settle"

/**
 * How many settles a process runs at once. More would have to wait for database connections. What somebody asked for
 * and the schedule have their own places, so that neither delays the other. Routine rows are settled in one batch.
 */
const MOST_AT_ONCE: Record<SettleKind, number> = { asked: 5, scheduled: 3, routine: 25 }
/** Longer than leasing rows takes. A statement that hangs must not block the worker. */
const TAKE_MS = 10_000
/** Rows that are due again within this time are settled by a timer of this process; the tick takes later ones. */
const LONGEST_TIMER_MS = 50_000

/** How a settle ended; `left` when another one holds the row, or the capture or the order still waits. */
export type Ended = "settled" | "left" | { failed: string }

/**
 * The worker of this process: leases due rows and settles them, several at once, until none is left. Whatever makes a
 * row due wakes it. If nobody does, the next tick of any process takes the row.
 */
export class SettleWorker {
  private readonly running = { asked: 0, scheduled: 0, routine: 0 }
  /** With those that somebody waits for. */
  private settling = 0
  private readonly timers = new Set<NodeJS.Timeout>()
  private isTaking = false
  private isWoken = false

  /** A row is due: it is leased as soon as there is a place. In a paused store it stays due. */
  wake(container: MedusaContainer): void {
    if (isPaused()) {
      return
    }
    this.isWoken = true
    if (!this.isTaking) {
      void this.takeAll(container)
    }
  }

  /**
   * Settles a row that somebody waits for, due or not.
   *
   * @param waitMs how long it waits for a row that another settle holds, which is due again then
   * @throws MedusaError 400 `paused`
   */
  async settleNow(
    container: MedusaContainer,
    id: string,
    asked: Asked,
    waitMs: number,
    isOver?: () => boolean
  ): Promise<Ended> {
    refuseWhilePaused()
    const { leases, queue } = resolveLedger(container)
    const lease = await untilTaken(async () => await leases.lease(id), waitMs, isOver)
    if (lease === undefined) {
      // A visitor's completion makes nothing due: another settle is reading at this moment.
      await (asked.trigger === "provider" ? undefined : queue.requestCheck(id))
      return "left"
    }
    return await this.run(container, lease, asked)
  }

  /** Nothing is due, as far as this process knows, and nothing runs. */
  get isIdle(): boolean {
    return this.settling + this.running.routine === 0 && !this.isTaking
  }

  /** The rows of the timers are due in the database, and the next tick settles them. */
  cancelTimers(): void {
    this.timers.forEach(clearTimeout)
    this.timers.clear()
  }

  private async takeAll(container: MedusaContainer): Promise<void> {
    this.isTaking = true
    while (this.isWoken) {
      this.isWoken = false
      try {
        const ledger = resolveLedger(container)
        // An orderly stop waits: rows that are being leased would stay leased until their leases end.
        await ledger.runningSettles.finish(async () => {
          await waitAtMost(TAKE_MS, this.take(container, ledger))
        })
      } catch (error) {
        warn(container, "crypto payments: due rows are taken by the next tick", error)
      }
    }
    this.isTaking = false
  }

  private async take(container: MedusaContainer, ledger: CryptoPaymentsModuleService): Promise<void> {
    const { asked, scheduled, routine } = this.running
    // A take that hung may have leased rows after its time.
    const places = {
      asked: Math.max(0, MOST_AT_ONCE.asked - asked),
      scheduled: Math.max(0, MOST_AT_ONCE.scheduled - scheduled),
      routine: routine > 0 ? 0 : MOST_AT_ONCE.routine,
    }
    // Other processes take what is due, or this one after its restart.
    const isStopping = ledger.runningSettles.isStopping
    if (!isStopping && Object.values(places).some((left) => left > 0)) {
      const rows = await ledger.queue.leaseDue(places)
      const batch = rows.filter(({ kind }) => kind === "routine")
      if (batch.length > 0) {
        void this.runBatch(container, batch)
      }
      for (const row of rows.filter(({ kind }) => kind !== "routine")) {
        void this.runDue(container, row)
      }
    }
  }

  private async runBatch(container: MedusaContainer, rows: readonly DueRow[]): Promise<void> {
    this.running.routine += rows.length
    try {
      await waitAtMost(SETTLE_MS, settleUnchanged(container, rows))
    } catch (error) {
      warn(container, "crypto payments: a batch of due rows is settled when its leases end", error)
    }
    this.running.routine -= rows.length
    this.wake(container)
  }

  private async runDue(container: MedusaContainer, row: DueRow): Promise<void> {
    this.running[row.kind]++
    await this.run(container, row, { trigger: row.check_trigger ?? "schedule" })
    this.running[row.kind]--
    this.wake(container)
  }

  private async run(container: MedusaContainer, lease: LeasedRow, asked: Asked): Promise<Ended> {
    let end: SettleEnd
    this.settling++
    try {
      end = await waitAtMost(SETTLE_MS, settle(container, lease, asked))
    } catch (error) {
      // It hangs. When its lease ends, rows that wait come first.
      void resolveLedger(container)
        .leases.putOff(lease)
        .catch(() => undefined)
      end = { dueInMs: null, failed: describeError(error) }
    }
    this.settling--
    this.wakeIn(container, end.dueInMs)
    if (end.failed === undefined) {
      return end.isBlocked === true ? "left" : "settled"
    }
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(
        `crypto payment ${lease.id}: settling (${asked.trigger}) failed (${end.failed}), it is tried again`
      )
    return { failed: end.failed }
  }

  private wakeIn(container: MedusaContainer, dueInMs: number | null): void {
    if (dueInMs === null || dueInMs > LONGEST_TIMER_MS) {
      return
    }
    const timer = setTimeout(
      () => {
        this.timers.delete(timer)
        this.wake(container)
      },
      Math.max(dueInMs, 0)
    )
    // A stopping process does not wait for it.
    this.timers.add(timer.unref())
  }
}

export const settleWorker = new SettleWorker()
