import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import type { LeasedRow, SettleKind } from "../modules/crypto-payments/payment-requests/queue"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { waitAtMost } from "../modules/crypto-payments/wait-at-most"
import { settle, type Asked, type SettleEnd } from "./settle"

/** With more settles at once, a process would wait for the database connections that they hold. */
const AT_ONCE = 6
/**
 * Of each kind fewer, so that none holds up the others: neither the schedule's rows at a gateway that hangs, nor the
 * returns that visitors cause.
 */
const MOST_AT_ONCE: Record<SettleKind, number> = { asked: 5, returned: 2, scheduled: 5 }
/** As long as a settle's lease: after that another settle may have the row, and this one is not waited for. */
const SETTLE_MS = 2 * 60_000
/** A row that is due again within this time is settled by a timer of this process; the tick takes later ones. */
const LONGEST_TIMER_MS = 50_000
/** How often a process that stops asks the others to take what it leaves: it may hear such an event itself. */
const MOST_PASSED_ON = 10

/** How a settle ended that somebody waits for. `left`: another settle holds the row, or this process stops. */
export type SettleNowEnd = "settled" | "left" | { failed: string }

interface Wanted {
  id: string
  asked: Asked
  ended: (how: SettleNowEnd) => void
}

/**
 * The worker of this process: takes due rows from the database and settles them, several at once, until none is left.
 * Whatever makes a row due wakes it. Nothing depends on that: a row that no worker was woken for is taken by the next
 * tick of any process.
 */
export class SettleWorker {
  private readonly running: Record<SettleKind, number> = { asked: 0, returned: 0, scheduled: 0 }
  private readonly timers = new Set<NodeJS.Timeout>()
  private wanted: Wanted[] = []
  private whenIdle: (() => void)[] = []
  private isTaking = false
  private isWoken = false
  private passedOn = 0

  /** A row is due: it is taken as soon as there is a place. */
  wake(container: MedusaContainer): void {
    this.isWoken = true
    if (!this.isTaking) {
      void this.takeAll(container)
    }
  }

  /** Takes what is due. @returns when nothing is due and nothing runs */
  async drain(container: MedusaContainer): Promise<void> {
    const idle = new Promise<void>((resolve) => this.whenIdle.push(resolve))
    this.wake(container)
    await idle
  }

  /**
   * Settles a row for somebody who waits for it, due or not, before the rows that are due.
   *
   * @returns ends with that settle; at once when another one holds the row, which is due again then
   */
  async settleNow(container: MedusaContainer, id: string, asked: Asked): Promise<SettleNowEnd> {
    return await new Promise((ended) => {
      this.wanted.push({ id, asked, ended })
      this.wake(container)
    })
  }

  get isIdle(): boolean {
    return this.settles === 0 && !this.isTaking
  }

  /** Forgets what was to be settled later. The rows are due in the database, and the next tick settles them. */
  cancelTimers(): void {
    this.timers.forEach(clearTimeout)
    this.timers.clear()
  }

  private get settles(): number {
    return this.running.asked + this.running.returned + this.running.scheduled
  }

  private places(kind: SettleKind): number {
    return Math.min(AT_ONCE - this.settles, MOST_AT_ONCE[kind] - this.running[kind])
  }

  private async takeAll(container: MedusaContainer): Promise<void> {
    this.isTaking = true
    const ledger = resolveLedger(container)
    try {
      while (this.isWoken) {
        this.isWoken = false
        // An orderly stop waits: rows that are being taken would stay taken until their leases end.
        await ledger.runningSettles.finish(async () => {
          await (ledger.runningSettles.isStopping ? this.leave(ledger) : this.take(container, ledger))
        })
      }
    } catch (error) {
      container
        .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
        .warn(`crypto payments: due rows are taken by the next tick (${describeError(error)})`)
    }
    this.isTaking = false
    if (this.isIdle) {
      this.whenIdle.splice(0).forEach((resolve) => {
        resolve()
      })
    }
  }

  private async take(container: MedusaContainer, ledger: CryptoPaymentsModuleService): Promise<void> {
    for (let wanted = this.nextWanted(); wanted !== undefined; wanted = this.nextWanted()) {
      const { id, asked, ended } = wanted
      try {
        const lease = await ledger.queue.lease(id)
        if (lease === undefined) {
          ended("left")
        } else {
          void this.run(container, lease, asked).then(ended)
        }
      } catch (error) {
        ended({ failed: describeError(error) })
      }
    }
    const all = AT_ONCE - this.settles
    if (all > 0) {
      for (const lease of await ledger.queue.leaseDue({
        all,
        asked: this.places("asked"),
        returned: this.places("returned"),
        scheduled: this.places("scheduled"),
      })) {
        void this.run(container, lease, { trigger: lease.check_trigger ?? "schedule" })
      }
    }
  }

  private nextWanted(): Wanted | undefined {
    const next = this.wanted.find(({ asked }) => this.places(kindOf(asked)) > 0)
    this.wanted = this.wanted.filter((wanted) => wanted !== next)
    return next
  }

  private async run(container: MedusaContainer, lease: LeasedRow, asked: Asked): Promise<SettleNowEnd> {
    const kind = kindOf(asked)
    this.running[kind]++
    const { dueInMs, failed } = await waitAtMost(SETTLE_MS, settle(container, lease, asked)).catch(
      (error: unknown): SettleEnd => ({ dueInMs: null, failed: describeError(error) })
    )
    this.running[kind]--
    this.wakeIn(container, dueInMs)
    this.wake(container)
    if (failed === undefined) {
      return "settled"
    }
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .error(`crypto payment ${lease.id}: settling (${asked.trigger}) failed (${failed}), it is tried again`)
    return { failed }
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
    // A process that ends does not wait for it.
    this.timers.add(timer.unref())
  }

  /** This process is about to end: another one is asked to take what is due, and what somebody waits for here. */
  private async leave({ queue, checks }: CryptoPaymentsModuleService): Promise<void> {
    for (const { id, ended } of this.wanted.splice(0)) {
      await queue.requestCheck(id)
      ended("left")
    }
    if (this.passedOn < MOST_PASSED_ON) {
      this.passedOn++
      await checks.wakeWorkers()
    }
  }
}

/** The one worker of this process. */
export const settleWorker = new SettleWorker()

function kindOf({ trigger }: Asked): SettleKind {
  switch (trigger) {
    case "return":
      return "returned"
    case "schedule":
      return "scheduled"
    default:
      return "asked"
  }
}
