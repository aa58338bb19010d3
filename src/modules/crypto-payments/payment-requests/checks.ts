import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { describeError } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import type { ListStore } from "../reconciliation/list-store"
import { ChecksAMinute } from "./checks-a-minute"
import type { LeasedRow, PaymentRequestQueue } from "./queue"
import type { RunningSettles } from "./running-settles"
import type { SessionStatusRow } from "./session-status"

/** Beyond these a payer who returns waits for the notification, the schedule, or the next minute. */
const RETURNS_A_MINUTE = 60
/** Beyond these a payment that a notification names and no row has is found by the nightly comparison. */
const LOOK_UPS_A_MINUTE = 10

interface Dependencies {
  queue: PaymentRequestQueue
  lists: ListStore
  runningSettles: RunningSettles
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
    const { queue, eventBus, logger } = this.deps
    await queue.requestCheck(id)
    try {
      await emitEvent(eventBus, CryptoPaymentEvents.CHECK_REQUESTED, { id })
    } catch (error) {
      logger.warn(`crypto payment ${id}: it is settled by the next tick (${describeError(error)})`)
    }
  }

  /**
   * This process is about to end: asks for the row to be settled by another one. Asked once; then the next tick does
   * it.
   */
  async handOver(id: string): Promise<void> {
    if (this.deps.runningSettles.mayHandOver(id)) {
      await this.request(id)
    }
  }

  /** Releases a row that this process holds, due now. @see handOver */
  async handOverLeased(lease: LeasedRow): Promise<void> {
    await this.deps.queue.releaseNow(lease)
    await this.handOver(lease.id)
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
