import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { describeError } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import type { ListStore } from "../reconciliation/list-store"
import { ChecksAMinute } from "./checks-a-minute"
import type { LeasedRow, PaymentRequestQueue } from "./queue"
import type { SessionStatusRow } from "./session-status"

/** Beyond this limit a returned payer waits for the notification, the schedule or the next minute. */
const RETURNS_A_MINUTE = 60
/** Beyond this limit the nightly comparison finds a notified payment without a row. */
const LOOK_UPS_A_MINUTE = 10

interface Dependencies {
  queue: PaymentRequestQueue
  lists: ListStore
  eventBus: IEventBusModuleService
  logger: Logger
}

/** Decides who may cause a check of a row now, and wakes the workers. */
export class Checks {
  private readonly returns = new ChecksAMinute(RETURNS_A_MINUTE)
  private readonly lookUps = new ChecksAMinute(LOOK_UPS_A_MINUTE)

  constructor(private readonly deps: Dependencies) {}

  /** Makes a row due and asks for a settle now. If that is lost, the next tick settles the row. */
  async request(id: string): Promise<void> {
    await this.deps.queue.requestCheck(id)
    await this.wakeWorkers()
  }

  /** Releases rows that this process holds, for another process to settle now. */
  async handOver(leases: readonly LeasedRow[]): Promise<void> {
    await Promise.allSettled(leases.map(async (lease) => await this.deps.queue.releaseNow(lease)))
    await this.wakeWorkers()
  }

  async wakeWorkers(): Promise<void> {
    const { eventBus, logger } = this.deps
    try {
      await emitEvent(eventBus, CryptoPaymentEvents.CHECK_REQUESTED, {})
    } catch (error) {
      logger.warn(`crypto payments: due rows are settled by the next tick (${describeError(error)})`)
    }
  }

  /**
   * A payer opens the return page: makes a payment without news due, unless it was just checked or this minute's limit
   * is reached.
   *
   * @returns whether it is due now, for the caller to settle it
   */
  async makeReturnedDue({ id, is_stale }: Pick<SessionStatusRow, "id" | "is_stale">): Promise<boolean> {
    return is_stale && (await this.returns.take(async () => await this.deps.queue.makeReturnedDue(id)))
  }

  /** A genuine notification names a request without a row. @returns whether to read it: its session waits */
  async mayLookUp(sessionId: string): Promise<boolean> {
    return await this.lookUps.take(async () => await this.deps.lists.isAwaitingRequest(sessionId))
  }
}
