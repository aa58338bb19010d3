import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { EventPriority, OrderWorkflowEvents } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow, PendingAnnouncement } from "../models/crypto-payment-request"
import { describeError } from "../errors"
import { CryptoPaymentEvents, EMIT_MS, emitEvent, eventData } from "../events"
import { TookTooLong, waitAtMost } from "../waiting"
import { isToPay } from "./session-status"
import { IDS_OF_ORDER, REQUESTS } from "./request-sql"

/** The process that wrote an announcement sends it at once. After this time, the schedule sends it. */
const SWEEP_AFTER = "30 seconds"

/** The row was settled with a cart's order before that time, and our subscriber has not received `order.placed`. */
export const IS_UNANNOUNCED = (since: string): string => `(
  r.order_announced_at IS NULL AND r.cart_id IS NOT NULL AND r.deleted_at IS NULL
  AND (r.state = 'captured' OR r.state = 'refunded' AND r.order_id IS NOT NULL)
  AND r.settled_at < now() - interval '${since}')`

/**
 * The order of the row's cart, if neither cancelled nor deleted, and no draft: core announces a draft when it is
 * converted. `LIMIT 1` keeps Postgres from hashing whole tables.
 */
export const ORDER_TO_ANNOUNCE = `
  SELECT o.id AS order_id, o.created_at AS placed_at FROM order_cart oc
    JOIN "order" o ON o.id = oc.order_id AND o.deleted_at IS NULL AND o.canceled_at IS NULL AND NOT o.is_draft_order
   WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL
   LIMIT 1`

export const IS_CART_UNANNOUNCED = `NOT EXISTS (SELECT 1 FROM ${REQUESTS} q
  WHERE q.cart_id = r.cart_id AND q.order_announced_at IS NOT NULL AND q.deleted_at IS NULL)`

/** Sent once, and again half an hour after the settle: the bus may have lost it. More would burden a slow bus. */
const IS_PLACED_NOT_SENT = `(r.order_placed_sent_at IS NULL
  OR r.order_placed_sent_at < r.settled_at + interval '30 minutes'
     AND now() BETWEEN r.settled_at + interval '30 minutes' AND r.settled_at + interval '1 hour')`

/**
 * For a row that becomes an order's, and does not have the cart yet. An order that is linked to a cart was placed and
 * announced before, and is not announced again. If another row of the cart still waits for `order.placed`, so does
 * this one.
 */
export const announcedBefore = (
  knex: Knex,
  { order_id = null, cart_id = null }: { order_id?: string | null; cart_id?: string | null }
): Knex.Raw =>
  knex.raw(
    `CASE WHEN EXISTS (SELECT 1 FROM order_cart oc WHERE oc.order_id = ? AND oc.deleted_at IS NULL) AND NOT EXISTS (
       SELECT 1 FROM ${REQUESTS} q WHERE q.cart_id = ? AND q.order_announced_at IS NULL AND q.deleted_at IS NULL)
     THEN now() END`,
    [order_id, cart_id]
  )

interface UnannouncedOrder {
  order_id: string
  request_ids: string[]
}

export function addAnnouncements(knex: Knex, added: PendingAnnouncement[]): Record<string, unknown> {
  if (added.length === 0) {
    return {}
  }
  return {
    announcements: knex.raw("COALESCE(announcements, '[]'::jsonb) || ?::jsonb", [JSON.stringify(added)]),
    announce_at: knex.raw(`now() + interval '${SWEEP_AFTER}'`),
  }
}

/**
 * Events that are written with their row in one transaction and removed once they are sent, and core's `order.placed`.
 */
export class Announcements {
  constructor(
    private readonly knex: Knex,
    private readonly eventBus: IEventBusModuleService,
    private readonly logger: Logger,
    private readonly askedOnPage: (
      orderId: string,
      providerId: string
    ) => Promise<{ amount: string; url: string | null } | undefined>
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
      } else if (event === "awaiting_payment") {
        await this.sendReminder(row, event_id)
      } else {
        this.logger.warn(`crypto payment ${row.id} needs attention: ${String(reason)}`)
        const data = { ...eventData(row, event_id), reason: String(reason) }
        await emitEvent(this.eventBus, CryptoPaymentEvents.ATTENTION_REQUIRED, data)
      }
    }
    if (pending.length === 0) {
      return
    }
    // If another event was added meanwhile, all stay, and are sent together with it.
    await this.knex.raw(
      `UPDATE ${REQUESTS} SET announcements = NULL, announce_at = NULL WHERE id = :id AND announcements = :sent::jsonb`,
      { id: row.id, sent: JSON.stringify(pending) }
    )
  }

  /**
   * What was paid since, also in part, or is not offered any more, is not asked for. An order may have changed since its
   * link was made, and may have another link: the reminder asks for what its page asks for.
   */
  private async sendReminder(row: CryptoPaymentRequestRow, event_id: string): Promise<void> {
    const { order_id } = row
    if (!isToPay(row)) {
      return
    }
    const ofCart = { amount: row.amount, url: null }
    const asked = order_id === null ? ofCart : await this.askedOnPage(order_id, row.provider_id)
    if (asked !== undefined) {
      const data = { ...eventData(row, event_id), amount: asked.amount, pay_page_url: asked.url }
      await emitEvent(this.eventBus, CryptoPaymentEvents.AWAITING_PAYMENT, data)
    }
  }

  /** Notes that `order.placed` was received. From then on the rows know it, even if the order's links change. */
  async noteOrderAnnounced(orderId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE ${REQUESTS} r SET order_announced_at = now(), order_id = CASE WHEN r.cart_id IS NULL THEN r.order_id ELSE :orderId END
        WHERE r.order_announced_at IS NULL AND r.id IN (${IDS_OF_ORDER(":orderId")})`,
      { orderId }
    )
  }

  /**
   * A draft order is made of the cart, and nobody is to send `order.placed` for the cart. If the draft is deleted, this
   * says that an order of the cart is gone: `ORDER_IS_GONE`.
   */
  async expectNone(cartId: string, orderId: string): Promise<void> {
    await this.knex(REQUESTS)
      .where({ cart_id: cartId, deleted_at: null })
      .update({ order_id: orderId, order_announced_at: this.knex.fn.now(), updated_at: this.knex.fn.now() })
  }

  /**
   * Sends `order.placed` for core, which sends it only if its process lives to the end of the completion.
   *
   * @throws the bus's first error
   */
  async sendLostOrders(limit: number): Promise<void> {
    for (const { order_id: id, request_ids } of await this.listUnannouncedOrders(limit)) {
      const { rows } = await this.knex.raw<{ rows: unknown[] }>(
        `UPDATE ${REQUESTS} r SET order_placed_sent_at = now()
          WHERE r.id = ANY(?) AND r.order_announced_at IS NULL AND ${IS_PLACED_NOT_SENT} RETURNING r.id`,
        [request_ids]
      )
      if (rows.length === 0) {
        // Another process sends it, or it was received meanwhile.
        continue
      }
      this.logger.warn(`crypto payments: order.placed of ${id} was not received and is sent again`)
      // As core sends it, before other events that wait on the bus.
      const options = { priority: EventPriority.CRITICAL }
      try {
        await waitAtMost(
          EMIT_MS,
          this.eventBus.emit({ name: OrderWorkflowEvents.PLACED, data: { id }, options })
        )
      } catch (error) {
        if (error instanceof TookTooLong) {
          // A bus that waits for Redis sends it later. There is one more try in half an hour.
          return
        }
        await this.knex(REQUESTS).whereIn("id", request_ids).update({ order_placed_sent_at: null })
        throw error
      }
    }
  }

  /** Paid orders without a received `order.placed`: core died before, or the bus lost it. Each twice at most. */
  async listUnannouncedOrders(limit: number): Promise<UnannouncedOrder[]> {
    const { rows } = await this.knex.raw<{ rows: UnannouncedOrder[] }>(
      `WITH silent AS MATERIALIZED (
         SELECT r.id, r.cart_id, r.settled_at FROM ${REQUESTS} r
          WHERE ${IS_UNANNOUNCED("1 minute")} AND ${IS_PLACED_NOT_SENT}
          ORDER BY r.settled_at LIMIT :limit
       ), found AS (
         SELECT r.id, placed.order_id FROM silent r CROSS JOIN LATERAL (${ORDER_TO_ANNOUNCE}) placed
          WHERE ${IS_CART_UNANNOUNCED} AND GREATEST(r.settled_at, placed.placed_at) > now() - interval '1 day'
       ), gone AS (
         -- Those of an order that is gone, or is old: they would keep the others out of the next look.
         UPDATE ${REQUESTS} r SET order_placed_sent_at = now() FROM silent
          WHERE r.id = silent.id AND r.id NOT IN (SELECT id FROM found)
       )
       SELECT order_id, array_agg(id ORDER BY id) AS request_ids FROM found GROUP BY order_id`,
      { limit }
    )
    return rows
  }
}
