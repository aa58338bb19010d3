import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan } from "../../../decision"
import { readBalances } from "./core-facts"
import { IDS_OF_ORDER, IS_FREE, ORDER_OF_REQUEST, REQUESTS } from "./request-sql"

/** The newest open links are looked at every minute; of them, those whose order has changed since it was placed. */
const NEWEST_LINKS = 1000
const MOST_LINKS = 200
/** Of more open cases than this, a tick looks at some, and others at the next. */
const MOST_CASES = 200

/** A case about how much was paid, which a person has not closed. */
const IS_CASE_OF_SUM = `r.attention_reason IN ('order_underpaid', 'order_overpaid') AND r.attention_resolved_at IS NULL`

/**
 * Finds what follows when an order is changed, or paid in another way: links that ask for more than the order owes, and
 * cases about sums that are not right any more. Only what a settle would find changed is made due.
 *
 * What an order owes is added up by core's function and not by SQL, so SQL only chooses what may have changed.
 */
export class ChangedOrders {
  constructor(private readonly knex: Knex) {}

  /** Makes due the open cases whose order owes, or was paid too much, another amount than the case says. */
  async makeCasesDue(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: StoredCase[] }>(
      `SELECT r.id, r.order_id, r.attention_reason, r.attention_amount FROM ${REQUESTS} r
        WHERE ${IS_CASE_OF_SUM} AND r.order_id IS NOT NULL AND r.deleted_at IS NULL AND ${IS_FREE}
          AND (r.next_check_at IS NULL OR r.next_check_at > now())
        ORDER BY random() LIMIT ${String(MOST_CASES)}`
    )
    const balances = await readBalances(
      this.knex,
      rows.map(({ order_id }) => order_id)
    )
    return await this.makeDue(
      rows.filter((row) => saysOtherwise(row, balances.get(row.order_id)?.outstanding ?? "0"))
    )
  }

  /** Makes due the open links that ask for more than their order owes now. */
  async makeLinksDue(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: OfferedLink[] }>(
      `WITH newest AS MATERIALIZED (
         SELECT r.id, r.session_id, r.cart_id, r.payment_collection_id FROM ${REQUESTS} r
          WHERE r.state = 'open' AND r.gateway_status IS DISTINCT FROM 'PENDING' AND r.deleted_at IS NULL AND ${IS_FREE}
          ORDER BY r.created_at DESC LIMIT ${String(NEWEST_LINKS)}
       )
       SELECT r.id, changed.order_id, changed.asked, changed.collection_amount FROM newest r
        CROSS JOIN LATERAL (
          SELECT o.id AS order_id, s.amount::text AS asked, pc.amount::text AS collection_amount
            FROM "order" o
            JOIN payment_session s ON s.id = r.session_id AND s.deleted_at IS NULL
            JOIN payment_collection pc ON pc.id = s.payment_collection_id
           WHERE o.id = ${ORDER_OF_REQUEST} AND o.deleted_at IS NULL AND o.canceled_at IS NULL AND o.status <> 'canceled'
             AND (o.version > 1 OR s.amount <> pc.amount
                  OR EXISTS (SELECT 1 FROM order_transaction t WHERE t.order_id = o.id AND t.deleted_at IS NULL))
           LIMIT 1
        ) changed
        LIMIT ${String(MOST_LINKS)}`
    )
    const balances = await readBalances(
      this.knex,
      rows.map(({ order_id }) => order_id)
    )
    return await this.makeDue(
      rows.filter(({ order_id, asked, collection_amount }) => {
        const outstanding = balances.get(order_id)?.outstanding ?? "0"
        return isMoreThan(asked, MathBN.max(0, MathBN.min(outstanding, collection_amount)))
      })
    )
  }

  /** An order was changed: its open links and its cases about sums are looked at now. */
  async makeOrderDue(orderId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${REQUESTS} r SET next_check_at = now(), check_requested_at = now()
        WHERE r.id IN (${IDS_OF_ORDER(":orderId")}) AND (r.state = 'open' OR ${IS_CASE_OF_SUM})
        RETURNING r.id`,
      { orderId }
    )
    return rows.map(({ id }) => id)
  }

  /** A part of the payment was sent back: its case about the sum may be over. @returns whether it has one */
  async makeCaseDue(id: string): Promise<boolean> {
    return (await this.makeDue([{ id }], `AND ${IS_CASE_OF_SUM}`)).length > 0
  }

  /**
   * A shopper asks for a link that is outdated: it is read again, and replaced.
   *
   * @returns whether this call is to replace it; not while it is looked at, or has been for a moment
   */
  async makeOutdatedLinkDue(id: string): Promise<boolean> {
    const condition = `AND r.state = 'open'
      AND (r.check_requested_at IS NULL OR r.check_requested_at < now() - interval '5 seconds')`
    return (await this.makeDue([{ id }], condition)).length > 0
  }

  private async makeDue(found: readonly { id: string }[], condition = ""): Promise<string[]> {
    if (found.length === 0) {
      return []
    }
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${REQUESTS} r SET next_check_at = now(), check_requested_at = now()
        WHERE r.id = ANY(:ids) AND ${IS_FREE} ${condition} RETURNING r.id`,
      { ids: found.map(({ id }) => id) }
    )
    return rows.map(({ id }) => id)
  }
}

interface StoredCase {
  id: string
  order_id: string
  attention_reason: "order_underpaid" | "order_overpaid"
  attention_amount: string | null
}

interface OfferedLink {
  id: string
  order_id: string
  /** What the session asks for. */
  asked: string
  collection_amount: string
}

function saysOtherwise({ attention_reason, attention_amount }: StoredCase, outstanding: string): boolean {
  const tooLittle = attention_reason === "order_underpaid" ? outstanding : MathBN.mult(outstanding, -1)
  return attention_amount === null || !amountsEqual(attention_amount, tooLittle)
}
