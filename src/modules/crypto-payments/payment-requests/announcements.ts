import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import type { CryptoPaymentRequestRow, PendingAnnouncement } from "../models/crypto-payment-request"
import { describeError } from "../errors"
import { CryptoPaymentEvents, emitEvent, eventData } from "../events"
import { REQUESTS } from "./request-sql"

/** The process that wrote an announcement sends it at once. After this time, the schedule sends it. */
const SWEEP_AFTER = "30 seconds"

/** The columns of an UPDATE that adds announcements to those that are waiting. */
export function addAnnouncements(knex: Knex, added: PendingAnnouncement[]): Record<string, unknown> {
  if (added.length === 0) {
    return {}
  }
  return {
    announcements: knex.raw("COALESCE(announcements, '[]'::jsonb) || ?::jsonb", [JSON.stringify(added)]),
    announce_at: knex.raw(`now() + interval '${SWEEP_AFTER}'`),
  }
}

/** Events that are written with their row in one transaction, and removed once they are sent. */
export class Announcements {
  constructor(
    private readonly knex: Knex,
    private readonly eventBus: IEventBusModuleService,
    private readonly logger: Logger
  ) {}

  /** Sends the events of a row. The schedule sends those that fail. */
  async send(row: CryptoPaymentRequestRow): Promise<void> {
    try {
      await this.sendNow(row)
    } catch (error) {
      this.logger.warn(`crypto payment ${row.id}: its events are sent again later (${describeError(error)})`)
    }
  }

  /** Sends the events that were not sent in time, oldest first. @throws the bus's first error */
  async sendLeft(limit: number): Promise<void> {
    const rows = await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .whereRaw("announce_at <= now()")
      // Rows without events must not use up the limit.
      .whereRaw("jsonb_typeof(announcements) = 'array'")
      .whereNull("deleted_at")
      .orderBy("announce_at")
      .limit(limit)
    for (const row of rows) {
      await this.sendNow(row)
    }
  }

  private async sendNow(row: CryptoPaymentRequestRow): Promise<void> {
    const pending = row.announcements ?? []
    for (const { event, event_id, reason } of pending) {
      if (event === "settled") {
        this.logger.info(
          `crypto payment ${row.id} is settled${row.order_id === null ? "" : `, order ${row.order_id}`}`
        )
        await emitEvent(this.eventBus, CryptoPaymentEvents.SETTLED, eventData(row, event_id))
      } else {
        this.logger.warn(`crypto payment ${row.id} needs attention: ${String(reason)}`)
        const data = { ...eventData(row, event_id), reason: String(reason) }
        await emitEvent(this.eventBus, CryptoPaymentEvents.ATTENTION_REQUIRED, data)
      }
    }
    if (pending.length === 0) {
      return
    }
    // Events that were added meanwhile stay.
    await this.knex.raw(
      `UPDATE ${REQUESTS} r SET announcements = left_over.entries,
              announce_at = CASE WHEN left_over.entries IS NULL THEN NULL ELSE r.announce_at END
         FROM (SELECT q.id, jsonb_agg(entry) FILTER (WHERE NOT entry ->> 'event_id' = ANY(:sent)) AS entries
                 FROM ${REQUESTS} q, jsonb_array_elements(q.announcements) AS entry
                WHERE q.id = :id AND jsonb_typeof(q.announcements) = 'array' GROUP BY q.id) left_over
        WHERE r.id = left_over.id`,
      { id: row.id, sent: pending.map(({ event_id }) => event_id) }
    )
  }
}
