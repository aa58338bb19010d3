import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan } from "../../../decision"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { LINK_AT_MOST, linkAmount } from "./session-facts"
import { readOutstanding } from "./order-balance"
import {
  DUE_NOW,
  IDS_OF_ORDER,
  IS_BEING_PAID,
  IS_CANCELED,
  IS_FREE,
  LINKS_TABLE,
  ORDER_OF_REQUEST,
  PAGE_BEGIN,
  REQUESTS,
  TURN_PAGE,
} from "./request-sql"

/** Each tick reads a page of the open cases, the newest first. */
const CASES_PAGE = 200
const CASES_SWEEP = "cases_of_sum"

/** How often a page that waits for a new link of a changed order makes the row due. */
const ASK_INTERVAL = "1 minute"

/** The answer to a creation may say PENDING too, but it is no read: nobody has had the link yet. */
const IS_NOT_BEING_PAID = `(NOT ${IS_BEING_PAID} OR r.last_checked_at IS NULL) AND ${IS_FREE}`

const IS_CASE_OF_SUM = `r.attention_reason IN ('order_underpaid', 'order_overpaid') AND r.attention_resolved_at IS NULL`

/**
 * Finds links that ask for more than their changed order owes, and cases with outdated sums. Only rows that a settle
 * would change become due. SQL chooses the candidates; what an order owes is added up by core's function.
 */
export class ChangedOrders {
  constructor(private readonly knex: Knex) {}

  /** Makes due the open cases whose amount has changed. */
  async makeCasesDue(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: StoredCase[] }>(
      `WITH page AS MATERIALIZED (
         SELECT r.id, r.attention_since, r.order_id, r.attention_reason, r.attention_amount FROM ${REQUESTS} r
          WHERE ${IS_CASE_OF_SUM} AND r.order_id IS NOT NULL AND r.deleted_at IS NULL
            AND (r.attention_since, r.id) < ${PAGE_BEGIN(CASES_SWEEP)}
          ORDER BY r.attention_since DESC, r.id DESC LIMIT ${String(CASES_PAGE)}
       ), turned AS (${TURN_PAGE(CASES_SWEEP, "attention_since", String(CASES_PAGE))})
       SELECT * FROM page`
    )
    const owed = await this.readOwed(rows)
    return await this.makeDue(
      rows.filter((row) => saysOtherwise(row, owed(row))),
      "AND (r.next_check_at IS NULL OR r.next_check_at > now())"
    )
  }

  /** Makes due the open links that ask for more than their order owes now. The ladder repeats a failed try. */
  async makeLinksDue(): Promise<string[]> {
    const { rows } = await this.knex.raw<{
      rows: (Record<"id" | "order_id" | "asked", string> & { at_most: string | null })[]
    }>(
      `WITH ${LINKS_TABLE(`r.renewal_tried_at IS NULL AND ${IS_NOT_BEING_PAID}`)}
       SELECT r.id, changed.order_id, changed.asked, changed.at_most FROM links r
        CROSS JOIN LATERAL (
          SELECT o.id AS order_id, s.amount::text AS asked, ${LINK_AT_MOST("r.cart_id")} AS at_most
            FROM "order" o
            JOIN payment_session s ON s.id = r.session_id AND s.deleted_at IS NULL
            JOIN payment_collection pc ON pc.id = s.payment_collection_id
           WHERE o.id = ${ORDER_OF_REQUEST} AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
             AND (o.version > 1 OR o.updated_at > GREATEST(o.created_at, s.created_at) OR s.amount <> pc.amount
                  OR EXISTS (SELECT 1 FROM order_transaction t WHERE t.order_id = o.id AND t.deleted_at IS NULL))
           LIMIT 1
        ) changed`
    )
    const owed = await this.readOwed(rows)
    return await this.makeDue(rows.filter((row) => isMoreThan(row.asked, linkAmount(owed(row), row.at_most))))
  }

  async makeOrderDue(orderId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE ${REQUESTS} r SET ${DUE_NOW("order_changed")}
        WHERE r.id IN (${IDS_OF_ORDER(":orderId")}) AND (r.state = 'open' OR ${IS_CASE_OF_SUM})`,
      { orderId }
    )
  }

  /** After a partial refund, the row's case about the sum may be over. @returns whether it has one */
  async makeCaseDue(id: string): Promise<boolean> {
    return (await this.makeDue([{ id }], `AND ${IS_CASE_OF_SUM}`)).length > 0
  }

  /** A shopper's page asks for a new link, which a settle creates. @returns whether it was noted: once a minute at most */
  async askForLink(id: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: unknown[] }>(
      `UPDATE ${REQUESTS} r SET link_asked_at = now(), ${DUE_NOW("return")}
        WHERE r.id = ? AND r.state = 'open' AND r.paid_at IS NULL
          AND (r.link_asked_at IS NULL OR r.link_asked_at <= now() - interval '${ASK_INTERVAL}')
        RETURNING r.id`,
      [id]
    )
    return rows.length > 0
  }

  private async readOwed<Row extends { order_id: string }>(
    rows: readonly Row[]
  ): Promise<(row: Row) => string> {
    const outstanding = await readOutstanding(
      this.knex,
      rows.map(({ order_id }) => order_id)
    )
    return ({ order_id }) => outstanding.get(order_id) ?? "0"
  }

  private async makeDue(found: readonly { id: string }[], condition = ""): Promise<string[]> {
    if (found.length === 0) {
      return []
    }
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${REQUESTS} r SET ${DUE_NOW()}
        WHERE r.id = ANY(:ids) AND ${IS_FREE} ${condition} RETURNING r.id`,
      { ids: found.map(({ id }) => id) }
    )
    return rows.map(({ id }) => id)
  }
}

interface StoredCase extends Pick<CryptoPaymentRequestRow, "id" | "attention_reason" | "attention_amount"> {
  order_id: string
}

function saysOtherwise({ attention_reason, attention_amount }: StoredCase, outstanding: string): boolean {
  const tooLittle = attention_reason === "order_underpaid" ? outstanding : MathBN.mult(outstanding, -1)
  return attention_amount === null || !amountsEqual(attention_amount, tooLittle)
}
