import type { MedusaContainer } from "@medusajs/framework/types"
import type { SettleTrigger } from "./settle-payment-request"

/** A row that is due again within this time is settled by a timer of this process; the tick takes later ones. */
const LONGEST_TIMER_MS = 50_000
/**
 * A settle that failed is tried again so soon by this process, as after a restart of the database. Then the tick does.
 */
const RETRIES_MS = [5500, 10_000, 20_000]
/** Somebody has told of money, or of its order, a moment ago. What the schedule finds has waited for minutes. */
const URGENT: readonly SettleTrigger[] = ["notification", "provider", "order_changed"]

/** A settle that did not end, and the kind of error that stopped it. */
export interface Failed {
  failed: string
}

/** How a settle ended that somebody waits for. `left`: the queue was full, or this process stops; the row stays due. */
export type TurnEnd = "settled" | "left" | Failed

interface Asked {
  container: MedusaContainer
  trigger: SettleTrigger
  /** The admin user or API key that asked. */
  by: string | undefined
  isUrgent: boolean
}

interface Waiting extends Asked {
  done: Promise<TurnEnd>
  ended: (how: TurnEnd) => void
}

/**
 * The settles of one process: so many at once, fewer of them for payers who returned, so many waiting, and no row twice
 * among those that wait. What an admin user asks for comes first, and finds a place when the queue is full: each
 * such request waits for its answer, so it holds a place of the server's anyway. What is urgent comes before what the
 * schedule has found, so that a gateway that hangs does not hold up the payments of another one. One turn is left to
 * whatever came first.
 *
 * Nothing depends on it. A row that is refused here, or lost with the process, is due in the database, and the next
 * tick of any process settles it.
 */
export class SettleQueue {
  private readonly waiting = new Map<string, Waiting>()
  private readonly timers = new Map<string, { timer: NodeJS.Timeout; firesAt: number }>()
  /** How often the settle of a row has failed in a row. */
  private readonly failures = new Map<string, number>()
  private running = 0
  private runningReturns = 0
  private runningUrgent = 0

  /**
   * @param settle must not throw: nobody waits for its result. Answers in how many milliseconds the row is due again,
   *   or that it failed.
   */
  constructor(
    private readonly size: { atOnce: number; returnsAtOnce: number; mostWaiting: number; mostTimers: number },
    private readonly settle: (
      container: MedusaContainer,
      id: string,
      trigger: SettleTrigger,
      by?: string
    ) => Promise<number | null | Failed>
  ) {}

  /**
   * Settles a row when its turn comes.
   *
   * @returns ends with that settle; at once when the queue is full or the row waits already, unless an admin user asks
   */
  async add(container: MedusaContainer, id: string, trigger: SettleTrigger, by?: string): Promise<TurnEnd> {
    return await this.enqueue(id, { container, trigger, by, isUrgent: URGENT.includes(trigger) })
  }

  private async enqueue(id: string, asked: Asked): Promise<TurnEnd> {
    const isAskedByPerson = asked.trigger === "admin"
    const waiting = this.waiting.get(id)
    if (waiting !== undefined) {
      this.raise(waiting, asked)
      return isAskedByPerson ? await waiting.done : "left"
    }
    if (this.waiting.size >= this.size.mostWaiting && !isAskedByPerson) {
      return "left"
    }
    const { promise: done, resolve: ended } = withResolver<TurnEnd>()
    this.waiting.set(id, { ...asked, done, ended })
    this.workIfThereIsRoom()
    return await done
  }

  /** Whether nothing runs and nothing waits for its turn. Timers may be set. */
  get isIdle(): boolean {
    return this.running === 0 && this.waiting.size === 0
  }

  /** Forgets what was to be settled later. The rows are due in the database, and the next tick settles them. */
  cancelTimers(): void {
    this.timers.forEach(({ timer }) => {
      clearTimeout(timer)
    })
    this.timers.clear()
    this.failures.clear()
  }

  /**
   * Gives everything that waits its turn now, one after the other. For a process that is about to end: its settles hand
   * the rows over to another process, and those that run first may take long.
   */
  async empty(): Promise<void> {
    this.cancelTimers()
    for (const [id, { container, trigger, by, ended }] of this.waiting) {
      this.waiting.delete(id)
      await this.settle(container, id, trigger, by)
      ended("left")
    }
  }

  /** Somebody else asks for a row that waits: it need not wait for other payers' returns, or for anybody, any more. */
  private raise(waiting: Waiting, { trigger, by, isUrgent }: Asked): void {
    waiting.isUrgent ||= isUrgent
    if (waiting.trigger === "return" || (trigger === "admin" && waiting.trigger !== "admin")) {
      waiting.trigger = trigger
      waiting.by = by
      this.workIfThereIsRoom()
    }
  }

  private workIfThereIsRoom(): void {
    if (this.running < this.size.atOnce) {
      void this.work()
    }
  }

  private async work(): Promise<void> {
    this.running++
    // What is added meanwhile is taken too, and shared with the others that work.
    for (let next = this.takeNext(); next !== undefined; next = this.takeNext()) {
      const { id, container, trigger, by, isUrgent, ended } = next
      const returns = trigger === "return" ? 1 : 0
      const urgent = isUrgent ? 1 : 0
      this.runningReturns += returns
      this.runningUrgent += urgent
      const settled = await this.settle(container, id, trigger, by)
      const dueInMs = this.orRetry(id, settled)
      this.runningReturns -= returns
      this.runningUrgent -= urgent
      if (dueInMs !== null) {
        this.addLater({ container, id, isUrgent }, dueInMs)
      }
      ended(isFailed(settled) ? settled : "settled")
    }
    this.running--
  }

  private takeNext(): (Waiting & { id: string }) | undefined {
    const mayRun = ([, { trigger }]: [string, Waiting]): boolean =>
      trigger !== "return" || this.runningReturns < this.size.returnsAtOnce
    const waiting = [...this.waiting]
    const mayPrefer = this.runningUrgent < this.size.atOnce - 1
    const next =
      waiting.find(([, { trigger }]) => trigger === "admin") ??
      waiting.find(([, { isUrgent }]) => mayPrefer && isUrgent) ??
      waiting.find(mayRun)
    if (next === undefined) {
      return undefined
    }
    const [id, taken] = next
    this.waiting.delete(id)
    return { id, ...taken }
  }

  private orRetry(id: string, ended: number | null | Failed): number | null {
    if (!isFailed(ended)) {
      this.failures.delete(id)
      return ended
    }
    const failures = this.failures.get(id) ?? 0
    const retryMs = RETRIES_MS[failures]
    if (retryMs === undefined) {
      this.failures.delete(id)
      return null
    }
    this.failures.set(id, failures + 1)
    return retryMs
  }

  /**
   * One timer a row: the sooner one, since the settle that it begins says when the next is due. What follows from
   * something urgent is urgent.
   */
  private addLater(
    { container, id, isUrgent }: Pick<Asked, "container" | "isUrgent"> & { id: string },
    delayMs: number
  ): void {
    const firesAt = performance.now() + delayMs
    const waiting = this.timers.get(id)
    const isNeeded =
      waiting === undefined ? this.timers.size < this.size.mostTimers : firesAt < waiting.firesAt
    if (delayMs > LONGEST_TIMER_MS || !isNeeded) {
      return
    }
    clearTimeout(waiting?.timer)
    const timer = setTimeout(
      () => {
        this.timers.delete(id)
        void this.enqueue(id, { container, trigger: "schedule", by: undefined, isUrgent })
      },
      Math.max(delayMs, 0)
    )
    // A process that ends does not wait for it.
    this.timers.set(id, { timer: timer.unref(), firesAt })
  }
}

function isFailed(ended: number | null | Failed): ended is Failed {
  return typeof ended === "object" && ended !== null
}

function withResolver<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}
