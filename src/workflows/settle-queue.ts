import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { waitAtMost } from "../modules/crypto-payments/wait-at-most"
import { settlePaymentRequestWorkflow, type SettleTrigger } from "./settle-payment-request"

/** With more, a process would wait for the database connections that settling holds. */
const SETTLES_AT_ONCE = 5
/** The settles that visitors cause by returning leave room for those of payments that are known to be made. */
const RETURNS_AT_ONCE = 2
const MOST_WAITING = 1000
/** As long as a settle's lease: after that another settle may have the row, and this one is not waited for. */
const SETTLE_MS = 2 * 60_000
/** A row that is due again within this time is settled by a timer of this process; the tick takes later ones. */
const LONGEST_TIMER_MS = 50_000
const MOST_TIMERS = 1000
/** A settle that failed is tried again so soon by this process, as after a restart of the database. Then the tick does. */
const RETRIES_MS = [5500, 10_000, 20_000]

interface Waiting {
  container: MedusaContainer
  trigger: SettleTrigger
  ended: () => void
}

/**
 * The settles of one process: so many at once, fewer of them for payers who returned, so many waiting, and no row twice
 * among those that wait.
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

  /**
   * @param settle must not throw: nobody waits for its result. Answers in how many milliseconds the row is due again, or
   *   that it failed.
   */
  constructor(
    private readonly size: { atOnce: number; returnsAtOnce: number; mostWaiting: number },
    private readonly settle: (
      container: MedusaContainer,
      id: string,
      trigger: SettleTrigger
    ) => Promise<number | null | "failed">
  ) {}

  /**
   * Settles a row when its turn comes.
   *
   * @returns ends with that settle; at once when the queue is full or the row waits already
   */
  async add(container: MedusaContainer, id: string, trigger: SettleTrigger): Promise<void> {
    const waiting = this.waiting.get(id)
    if (waiting !== undefined && waiting.trigger === "return") {
      // It need not wait for other payers' returns any more.
      waiting.trigger = trigger
      this.workIfThereIsRoom()
    }
    if (waiting !== undefined || this.waiting.size >= this.size.mostWaiting) {
      return
    }
    await new Promise<void>((ended) => {
      this.waiting.set(id, { container, trigger, ended })
      this.workIfThereIsRoom()
    })
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
      const { id, container, trigger, ended } = next
      const returns = trigger === "return" ? 1 : 0
      this.runningReturns += returns
      const dueInMs = this.orRetry(id, await this.settle(container, id, trigger))
      this.runningReturns -= returns
      if (dueInMs !== null) {
        this.addLater(container, id, dueInMs)
      }
      ended()
    }
    this.running--
  }

  private takeNext(): (Waiting & { id: string }) | undefined {
    for (const [id, waiting] of this.waiting) {
      if (waiting.trigger !== "return" || this.runningReturns < this.size.returnsAtOnce) {
        this.waiting.delete(id)
        return { id, ...waiting }
      }
    }
    return undefined
  }

  private orRetry(id: string, ended: number | null | "failed"): number | null {
    const failures = ended === "failed" ? (this.failures.get(id) ?? 0) + 1 : 0
    if (ended !== "failed" || failures > RETRIES_MS.length) {
      this.failures.delete(id)
      return ended === "failed" ? null : ended
    }
    this.failures.set(id, failures)
    return RETRIES_MS[failures - 1] ?? null
  }

  /** One timer a row: the sooner one, since the settle that it begins says when the next is due. */
  private addLater(container: MedusaContainer, id: string, delayMs: number): void {
    const firesAt = performance.now() + delayMs
    const waiting = this.timers.get(id)
    const isNeeded = waiting === undefined ? this.timers.size < MOST_TIMERS : firesAt < waiting.firesAt
    if (delayMs > LONGEST_TIMER_MS || !isNeeded) {
      return
    }
    clearTimeout(waiting?.timer)
    const timer = setTimeout(
      () => {
        this.timers.delete(id)
        void this.add(container, id, "schedule")
      },
      Math.max(delayMs, 0)
    )
    // A process that ends does not wait for it.
    this.timers.set(id, { timer: timer.unref(), firesAt })
  }
}

const queue = new SettleQueue(
  { atOnce: SETTLES_AT_ONCE, returnsAtOnce: RETURNS_AT_ONCE, mostWaiting: MOST_WAITING },
  trySettle
)

/**
 * Settles a row that is due, in the turn of this process. Whatever goes wrong is logged: the row stays due.
 *
 * @returns ends with that settle; at once when the queue is full or the row waits already
 */
export async function settleInTurn(
  container: MedusaContainer,
  id: string,
  trigger: SettleTrigger
): Promise<void> {
  await queue.add(container, id, trigger)
}

async function trySettle(
  container: MedusaContainer,
  id: string,
  trigger: SettleTrigger
): Promise<number | null | "failed"> {
  try {
    const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
    if (ledger.runningSettles.isStopping) {
      await ledger.handOver(id)
      return null
    }
    const settled = settlePaymentRequestWorkflow(container).run({ input: { id, trigger } })
    const { result } = await waitAtMost(SETTLE_MS, settled)
    return result.due_in_ms
  } catch (error) {
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .error(
        `crypto payment ${id}: settling (${trigger}) failed (${describeError(error)}), it is tried again`
      )
    return "failed"
  }
}
