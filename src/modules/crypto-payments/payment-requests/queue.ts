import type { Knex } from "@medusajs/framework/mikro-orm/knex"

const TABLE = "crypto_payment_request"
/** How often a waiting payer's page has the gateway asked, should no notification come. */
export const RETURN_CHECK_INTERVAL = "15 seconds"

/** A row nothing more can come of: replays of it cost no gateway read. */
const IS_TERMINAL = "(state = 'refunded' OR settled_at IS NOT NULL)"

/** Which rows have to be looked at, and who makes them so. What is due is settled by whoever comes first. */
export class DueLedger {
  constructor(private readonly knex: Knex) {}

  /**
   * A genuine notification arrived: one row update.
   *
   * @returns undefined when the request is not ours; `isTerminal` when there is nothing left to settle
   */
  async recordNotification(
    providerId: string,
    paymentRequestId: string
  ): Promise<{ id: string; isTerminal: boolean } | undefined> {
    const { rows } = await this.knex.raw<{ rows: { id: string; is_terminal: boolean }[] }>(
      `UPDATE ${TABLE}
          SET last_webhook_at = now(),
              check_requested_at = now(),
              next_check_at = CASE WHEN ${IS_TERMINAL} THEN next_check_at ELSE now() END
        WHERE payment_request_id = ? AND provider_id = ? AND deleted_at IS NULL
        RETURNING id, ${IS_TERMINAL} AS is_terminal`,
      [paymentRequestId, providerId]
    )
    return rows[0] && { id: rows[0].id, isTerminal: rows[0].is_terminal }
  }

  /** Makes a row due now; whatever settles first does it. */
  async requestCheck(id: string): Promise<void> {
    await this.knex(TABLE)
      .where({ id })
      .whereRaw(`NOT ${IS_TERMINAL}`)
      .update({ check_requested_at: this.knex.fn.now(), next_check_at: this.knex.fn.now() })
  }

  /**
   * Makes an unpaid row due because its payer is back: the first time at once, then once in a while, however often the
   * page asks.
   *
   * @returns whether it was
   */
  async makeReturnedDue(id: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: unknown[] }>(
      `UPDATE ${TABLE} SET next_check_at = now(), check_requested_at = now()
        WHERE id = ? AND paid_at IS NULL AND payment_request_id IS NOT NULL
          AND (last_checked_at IS NULL OR last_checked_at < now() - interval '${RETURN_CHECK_INTERVAL}')
          AND (check_requested_at IS NULL OR check_requested_at < now() - interval '${RETURN_CHECK_INTERVAL}')
          AND (lease_until IS NULL OR lease_until < now())
        RETURNING id`,
      [id]
    )
    return rows.length > 0
  }

  /** Makes due the paid rows an order that has just been placed may settle, unless a run is at it. */
  async makeOrderDue(orderId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${TABLE} SET next_check_at = now()
        WHERE cart_id = (SELECT oc.cart_id FROM order_cart oc WHERE oc.order_id = ? AND oc.deleted_at IS NULL)
          AND deleted_at IS NULL AND paid_at IS NOT NULL AND NOT ${IS_TERMINAL}
          AND (lease_until IS NULL OR lease_until < now())
        RETURNING id`,
      [orderId]
    )
    return rows.map(({ id }) => id)
  }

  /** Due rows nobody is settling, oldest first. The lease is taken by the settle itself, row by row. */
  async listDue(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT id FROM ${TABLE}
        WHERE next_check_at <= now() AND (lease_until IS NULL OR lease_until < now()) AND deleted_at IS NULL
        ORDER BY next_check_at LIMIT ?`,
      [limit]
    )
    return rows.map(({ id }) => id)
  }

  /** An order was cancelled: what was settled for it and not refunded has to be looked at again. */
  async reopenOrder(orderId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${TABLE} SET settled_at = NULL, next_check_at = now()
        WHERE order_id = ? AND state = 'captured' AND settled_at IS NOT NULL AND deleted_at IS NULL RETURNING id`,
      [orderId]
    )
    return rows.map(({ id }) => id)
  }
}
