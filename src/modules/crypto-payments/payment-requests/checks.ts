import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { describeError } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import type { ListStore } from "../reconciliation/list-store"
import { ChecksAMinute } from "./checks-a-minute"
import type { LeasedRow, PaymentRequestQueue } from "./queue"
import type { SessionStatusRow } from "./session-status"

/** Beyond these a payer who returns waits for the notification, the schedule, or the next minute. */
const RETURNS_A_MINUTE = 60
/** Beyond these a payment that a notification names and no row has is found by the nightly comparison. */
const LOOK_UPS_A_MINUTE = 10

interface Dependencies {
  queue: PaymentRequestQueue
  lists: ListStore
  eventBus: IEventBusModuleService
  logger: Logger
}

/** Who may cause a check of a row at the gateway now, and how it is asked for. */
export class Checks {
  private readonly returns = new ChecksAMinute(RETURNS_A_MINUTE)
  private readonly lookUps = new ChecksAMinute(LOOK_UPS_A_MINUTE)

  constructor(private readonly deps: Dependencies) {}

  /** Makes a row due and asks for a settle now; if that is lost, the next tick does it. */
  async request(id: string): Promise<void> {
    await this.deps.queue.requestCheck(id)
    await this.wakeWorkers()
  }

  /** Gives back rows that this process holds, for another one to settle now. */
  async handOver(leases: readonly LeasedRow[]): Promise<void> {
    await Promise.allSettled(leases.map(async (lease) => await this.deps.queue.releaseNow(lease)))
    await this.wakeWorkers()
  }

  /** Something is due: the worker of a process takes it. */
  async wakeWorkers(): Promise<void> {
    const { eventBus, logger } = this.deps
    try {
      await emitEvent(eventBus, CryptoPaymentEvents.CHECK_REQUESTED, {})
    } catch (error) {
      logger.warn(`crypto payments: due rows are settled by the next tick (${describeError(error)})`)
    }
  }

  /**
   * A payer looks at the return page: a payment of which nothing is known yet is made due, unless it was checked a
   * moment ago or visitors have caused enough checks in this minute.
   *
   * @returns whether it is due now, for the caller to settle it
   */
  async makeReturnedDue({ id, is_stale }: Pick<SessionStatusRow, "id" | "is_stale">): Promise<boolean> {
    return is_stale && (await this.returns.take(async () => await this.deps.queue.makeReturnedDue(id)))
  }

  /**
   * A genuine notification named a request that has no row. @returns whether to read it at the gateway: the session of
   * its note waits for a request, and few notifications of this kind came in this minute
   */
  async mayLookUp(sessionId: string): Promise<boolean> {
    return await this.lookUps.take(async () => await this.deps.lists.isAwaitingRequest(sessionId))
  }
}
