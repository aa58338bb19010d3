import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { resolveLedger } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import { SETTLE_MS, type LeasedRow } from "../modules/crypto-payments/payment-requests/leases"
import type { DueRow, SettleKind } from "../modules/crypto-payments/payment-requests/queue"
import type { SettleTrigger } from "../modules/crypto-payments/payment-requests/request-sql"
import type Ledger from "../modules/crypto-payments/service"
import { isPaused, refuseWhilePaused } from "../modules/crypto-payments/paused"
import { HELD_WAIT_MS, untilTaken, waitAtMost } from "../modules/crypto-payments/waiting"
import { warn } from "./core/settling"
import { settle, settleUnchanged, type Asked, type SettleEnd } from "./settle"

/**
 * How many settles a process runs at once. More would have to wait for database connections. Returns and the schedule's
 * rows together leave a place to rows that were asked for; those and returns leave one to the schedule. So a gateway
 * that hangs, a flood of notifications or many visitors delay nobody else.
 *
 * Routine rows are not part of `all`: they are settled in one batch.
 */
const MOST_AT_ONCE: Record<"all" | SettleKind, number> = {
  all: 8,
  asked: 5,
  returned: 2,
  scheduled: 5,
  routine: 25,
}
/** Longer than leasing rows takes. A statement that hangs must not block the worker. */
const TAKE_MS = 10_000
/** Rows that are due again within this time are settled by a timer of this process; the tick takes later ones. */
const LONGEST_TIMER_MS = 50_000
/** How often a stopping process asks others to take its rows: it may receive such an event itself. */
const MOST_PASSED_ON = 10

/**
 * How a settle ended; `left` when the capture or the order still waits. Undefined: another settle holds the row, or this
 * process stops.
 */
type Ended = "settled" | "left" | { failed: string } | undefined

interface Wanted {
  id: string
  asked: Asked
  ended: (how: Ended) => void
}

const KINDS: Partial<Record<SettleTrigger, SettleKind>> = { return: "returned", schedule: "scheduled" }
const kindOf = ({ trigger }: Asked): SettleKind => KINDS[trigger] ?? "asked"

/**
 * The worker of this process: leases due rows and settles them, several at once, until none is left. Whatever makes a
 * row due wakes it. If nobody does, the next tick of any process takes the row.
 */
export class SettleWorker {
  private readonly running = { all: 0, asked: 0, returned: 0, scheduled: 0, routine: 0 }
  private readonly timers = new Set<NodeJS.Timeout>()
  private wanted: Wanted[] = []
  /** Rows that somebody waits for. They may be due too: the other statement must not lease them first. */
  private readonly leasing = new Set<string>()
  private isTaking = false
  private isWoken = false
  private passedOn = 0

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
   * Settles a row that somebody waits for, due or not, before the rows that are due. An admin user's settle may do what
   * no other does, so it waits for a row that is held.
   *
   * @returns when the settle ends; `left` when another one keeps holding the row, which is due again then, or when the
   *   capture or the order still waits
   * @throws MedusaError 400 `paused`
   */
  async settleNow(container: MedusaContainer, id: string, asked: Asked): Promise<NonNullable<Ended>> {
    refuseWhilePaused()
    const isAdmin = asked.trigger === "admin"
    if (!isAdmin && this.wanted.some((wanted) => wanted.id === id)) {
      return "left"
    }
    const { queue, checks, runningSettles } = resolveLedger(container)
    const end = await untilTaken(
      async () =>
        await new Promise<Ended>((ended) => {
          this.wanted.push({ id, asked, ended })
          this.wake(container)
        }),
      isAdmin ? HELD_WAIT_MS : 0,
      () => runningSettles.isStopping
    )
    if (end === undefined) {
      await runningSettles.finish(async () => {
        // If this fails, the row is settled when it is due anyway.
        await waitAtMost(TAKE_MS, queue.requestCheck(id)).catch(() => undefined)
        if (runningSettles.isStopping) {
          await checks.wakeWorkers()
        }
      })
    }
    return end ?? "left"
  }

  /** Nothing is due, as far as this process knows, and nothing runs. */
  get isIdle(): boolean {
    return this.running.all + this.running.routine === 0 && !this.isTaking
  }

  /** The rows of the timers are due in the database, and the next tick settles them. */
  cancelTimers(): void {
    this.timers.forEach(clearTimeout)
    this.timers.clear()
  }

  private places(kind: "all" | SettleKind): number {
    return Math.max(0, MOST_AT_ONCE[kind] - this.running[kind])
  }

  private async takeAll(container: MedusaContainer): Promise<void> {
    this.isTaking = true
    while (this.isWoken) {
      this.isWoken = false
      try {
        const ledger = resolveLedger(container)
        // An orderly stop waits: rows that are being leased would stay leased until their leases end.
        await ledger.runningSettles.finish(async () => {
          const work = ledger.runningSettles.isStopping ? this.leave(ledger) : this.take(container, ledger)
          await waitAtMost(TAKE_MS, work)
        })
      } catch (error) {
        warn(container, "crypto payments: due rows are taken by the next tick", error)
      }
    }
    this.isTaking = false
  }

  private async take(container: MedusaContainer, ledger: Ledger): Promise<void> {
    for (let wanted = this.nextWanted(); wanted !== undefined; wanted = this.nextWanted()) {
      const { id, asked, ended } = wanted
      this.leasing.add(id)
      const lease = waitAtMost(TAKE_MS, ledger.leases.lease(id)).finally(() => this.leasing.delete(id))
      void this.run(container, { id, asked, kind: kindOf(asked) }, lease).then(ended)
    }
    const places = {
      all: this.places("all"),
      asked: this.places("asked"),
      returned: this.places("returned"),
      scheduled: this.places("scheduled"),
      routine: this.running.routine > 0 ? 0 : MOST_AT_ONCE.routine,
    }
    if (places.all > 0 || places.routine > 0) {
      const rows = await ledger.queue.leaseDue(places, [...this.leasing])
      const batch = rows.filter(({ kind }) => kind === "routine")
      if (batch.length > 0) {
        void this.runBatch(container, batch)
      }
      for (const row of rows.filter(({ kind }) => kind !== "routine")) {
        const { id, kind, check_trigger } = row
        const asked = { trigger: check_trigger ?? "schedule" }
        void this.run(container, { id, asked, kind }, Promise.resolve(row))
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

  private nextWanted(): Wanted | undefined {
    const next = this.wanted.find(({ asked }) => Math.min(this.places("all"), this.places(kindOf(asked))) > 0)
    this.wanted = this.wanted.filter((wanted) => wanted !== next)
    return next
  }

  /** @param leasing undefined when another settle holds the row */
  private async run(
    container: MedusaContainer,
    { id, asked, kind }: { id: string; asked: Asked; kind: SettleKind },
    leasing: Promise<LeasedRow | undefined>
  ): Promise<Ended> {
    this.running.all++
    this.running[kind]++
    let lease: LeasedRow | undefined
    let end: SettleEnd | undefined
    try {
      lease = await leasing
      end = lease && (await waitAtMost(SETTLE_MS, settle(container, lease, asked)))
    } catch (error) {
      if (lease !== undefined) {
        // It hangs. When its lease ends, rows that wait come first.
        void resolveLedger(container)
          .leases.putOff(lease)
          .catch(() => undefined)
      }
      end = { dueInMs: null, failed: describeError(error) }
    }
    this.running.all--
    this.running[kind]--
    this.wakeIn(container, end?.dueInMs ?? null)
    this.wake(container)
    if (end?.failed === undefined) {
      return end && (end.isBlocked === true ? "left" : "settled")
    }
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`crypto payment ${id}: settling (${asked.trigger}) failed (${end.failed}), it is tried again`)
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

  /** This process is stopping: another one is asked to take due rows, and those that somebody waits for here. */
  private async leave({ checks }: Ledger): Promise<void> {
    this.wanted.splice(0).forEach(({ ended }) => {
      ended(undefined)
    })
    if (this.passedOn < MOST_PASSED_ON) {
      this.passedOn++
      await checks.wakeWorkers()
    }
  }
}

export const settleWorker = new SettleWorker()
