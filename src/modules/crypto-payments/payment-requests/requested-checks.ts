import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { describeError } from "../errors"
import { CryptoPaymentEvents, emitEvent } from "../events"
import type { PaymentRequestQueue } from "./queue"
import type { SessionStatusRow } from "./session-status"

/** Beyond this limit a returned payer waits for the notification, the schedule or the next minute. */
const RETURNS_A_MINUTE = 60

/** Decides who may cause a check of a row now, and wakes the workers. */
export class RequestedChecks {
  private readonly returns = new ChecksAMinute(RETURNS_A_MINUTE)

  constructor(
    private readonly queue: PaymentRequestQueue,
    private readonly eventBus: IEventBusModuleService,
    private readonly logger: Logger
  ) {}

  /** Makes a row due and asks for a settle now. If that is lost, the next tick settles the row. */
  async request(id: string): Promise<void> {
    await this.queue.requestCheck(id)
    await this.wakeWorkers()
  }

  /** The same for what a visitor can cause: not within ten seconds of the last read. */
  async requestUnlessJustRead(id: string): Promise<void> {
    if (await this.queue.makeReturnedDue(id)) {
      await this.wakeWorkers()
    }
  }

  async wakeWorkers(): Promise<void> {
    try {
      await emitEvent(this.eventBus, CryptoPaymentEvents.CHECK_REQUESTED, {})
    } catch (error) {
      this.logger.warn(`crypto payments: due rows are settled by the next tick (${describeError(error)})`)
    }
  }

  /** A payer opens the return page: makes a payment without news due, up to a limit. @returns whether it is due now */
  async makeReturnedDue({ id, is_stale }: Pick<SessionStatusRow, "id" | "is_stale">): Promise<boolean> {
    return is_stale && (await this.returns.take(async () => await this.queue.makeReturnedDue(id)))
  }

  /** A payer's page asks for a link of what the order owes by now. @returns whether to make one: it counts as a return */
  async mayReplaceLink(id: string): Promise<boolean> {
    return await this.returns.take(async () => await this.queue.askForLink(id))
  }
}

/** Limits the gateway checks that one kind of request causes per minute and process: anybody can send requests. */
export class ChecksAMinute {
  private window = { began: Number.NEGATIVE_INFINITY, taken: 0 }

  constructor(private readonly most: number) {}

  /**
   * @param isNeeded is not called when nothing is left of this minute
   * @returns what `isNeeded` answers; only a check that is needed is counted
   */
  async take(isNeeded: () => Promise<boolean>): Promise<boolean> {
    const now = performance.now()
    if (now - this.window.began >= 60_000) {
      this.window = { began: now, taken: 0 }
    }
    const window = this.window
    if (window.taken >= this.most) {
      return false
    }
    // Counted before the database answers: many requests may run at once.
    window.taken++
    const isTaken = await isNeeded()
    if (!isTaken) {
      window.taken--
    }
    return isTaken
  }
}
