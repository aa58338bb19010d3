import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan, isPaidAnotherWay, PAID_ANOTHER_WAY } from "../../../decision"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import type { Facts } from "../payment-requests/read-facts"
import type { PaymentLinks } from "../payment-requests/links"
import { IS_PAID_AGAIN, readOutstanding } from "../payment-requests/order-balance"
import { makeDue } from "../payment-requests/queue"
import {
  DUE_NOW,
  HAS_CASE_THAT_EXPLAINS_MONEY,
  IS_CANCELED,
  IS_CASE_OF_SUM,
  IS_FREE,
  ORDER_IS_GONE,
  ORDER_OF_CART,
  ORDER_OF_COLLECTION,
  ORDER_OF_REQUEST,
  PAGE_BEGIN,
  REQUESTS,
  TURN_PAGE,
} from "../payment-requests/request-sql"
import { HAS_CANCELED_ORDER } from "../payment-requests/session-facts"

/** The newest settled payments are checked every minute, the older ones in `(settled payments / PAGE + 1)` minutes. */
const NEWEST = 1000
const PAGE = 20_000
/** The next tick reads the same page again and makes the others due. */
const MOST_MADE_DUE = 500
const SETTLED_SWEEP = "settled_orders"

/**
 * Which settled payments of `page` a settle would change: the order is gone or cancelled, has lost its cart, has not
 * booked exactly the capture, or was paid again. `LIMIT 1` keeps Postgres from hashing whole tables.
 */
const LOST = `
  SELECT r.id FROM page r
    LEFT JOIN LATERAL (
      SELECT o.id FROM "order" o
       WHERE o.id = CASE WHEN r.cart_id IS NULL THEN ${ORDER_OF_COLLECTION} ELSE ${ORDER_OF_CART} END
         AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}
       LIMIT 1
    ) placed ON true
    LEFT JOIN LATERAL (
      SELECT round(SUM(cap.amount), 2) AS captured,
             round(SUM((SELECT SUM(t.amount) FROM order_transaction t
                         WHERE t.reference_id = cap.id AND t.reference = 'capture' AND t.order_id = placed.id
                           AND t.deleted_at IS NULL)), 2) AS booked
        FROM payment p JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
       WHERE p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
    ) sums ON true
   WHERE placed.id IS NULL
      OR sums.captured IS NULL
      OR ${IS_PAID_AGAIN("placed.id")}
      OR sums.booked IS DISTINCT FROM sums.captured
   LIMIT :most`

/** Each tick reads a page of the open cases, the newest first. */
const CASES_PAGE = 200
const CASES_SWEEP = "cases_of_sum"

/** Each tick also reads these open links. One round takes `(open links / LINKS_PAGE + 1)` minutes. */
const NEWEST_LINKS = 1000
const LINKS_PAGE = 2000
const LINKS_SWEEP = "open_links"
const OPEN_LINKS = (most: number, condition = ""): string => `
  SELECT r.id, r.session_id, r.cart_id, r.order_id, r.payment_collection_id, r.gateway_status, r.gateway_amount,
         r.created_at, r.last_checked_at, r.next_check_at, r.lease_until, r.order_announced_at FROM ${REQUESTS} r
   WHERE r.state = 'open' AND r.deleted_at IS NULL ${condition}
   ORDER BY r.created_at DESC, r.id DESC LIMIT ${String(most)}`

/**
 * An order was placed after the last settle of its link `r`, and the next one may be after the end of the order's time.
 * Core completes a cart within a minute, and the completion reads the gateway too.
 */
const IS_NEWLY_PLACED = `(r.next_check_at > now() + interval '1 hour'
  AND COALESCE(r.order_announced_at, o.created_at + interval '1 minute') > r.last_checked_at)`

/** The condition of the partial index that the pages below use. */
const IS_SETTLED_ON_ORDER = `r.state = 'captured' AND r.settled_at IS NOT NULL AND r.order_id IS NOT NULL
  AND r.attention_reason IS DISTINCT FROM 'paid_without_order' AND r.next_check_at IS NULL AND r.deleted_at IS NULL`

/**
 * Queries that find from stored state what a lost event, subscriber, middleware or in-memory queue would have reported,
 * and make it due. docs/architecture.md lists which sweep replaces what. For links and cases of changed orders, SQL
 * chooses the candidates, and core's function adds up what an order owes.
 */
export class Sweeps {
  constructor(
    private readonly knex: Knex,
    private readonly facts: Facts,
    private readonly links: PaymentLinks
  ) {}

  async makeLostOrdersDue(): Promise<string[]> {
    const turned = TURN_PAGE(SETTLED_SWEEP, "settled_at", ":limit", "(SELECT count(*) FROM lost) < :most")
    const newest = await this.makeLostDue("", "", NEWEST)
    const begin = `AND (r.settled_at, r.id) < ${PAGE_BEGIN(SETTLED_SWEEP)}`
    return [...newest, ...(await this.makeLostDue(begin, `, turned AS (${turned})`, PAGE))]
  }

  private async makeLostDue(condition: string, turned: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `WITH page AS MATERIALIZED (
         SELECT r.id, r.settled_at, r.cart_id, r.payment_collection_id, r.paid_session_id,
                r.other_payments FROM ${REQUESTS} r
          WHERE ${IS_SETTLED_ON_ORDER} ${condition}
          ORDER BY r.settled_at DESC, r.id DESC LIMIT :limit
       ), lost AS (${LOST})${turned}
       UPDATE ${REQUESTS} r SET ${DUE_NOW()}
         FROM lost WHERE r.id = lost.id AND r.next_check_at IS NULL RETURNING r.id`,
      { limit, most: MOST_MADE_DUE }
    )
    return rows.map(({ id }) => id)
  }

  /** Makes due what is paid and unfinished, has no case that explains it, and would not be checked again. */
  async makeForgottenDue(): Promise<string[]> {
    const isForgotten = `r.id IN (
      SELECT r.id FROM ${REQUESTS} r
       WHERE r.next_check_at IS NULL AND r.settled_at IS NULL
         AND NOT ${HAS_CASE_THAT_EXPLAINS_MONEY} AND r.paid_at IS NOT NULL AND r.state IN ('paid', 'captured')
         AND r.deleted_at IS NULL AND ${IS_FREE}
       LIMIT :most)`
    return await makeDue(this.knex, DUE_NOW(), isForgotten, { most: MOST_MADE_DUE })
  }

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
    const ids = rows.flatMap((row) => (saysOtherwise(row, owed(row)) ? row.id : []))
    const isNotDue = `r.id = ANY(:ids) AND ${IS_FREE} AND (r.next_check_at IS NULL OR r.next_check_at > now())`
    return ids.length === 0 ? [] : await makeDue(this.knex, DUE_NOW(), isNotDue, { ids })
  }

  /**
   * Of the newest open links and a page of the older ones, withdraws those whose order is cancelled, deleted or paid
   * another way, and makes due those whose order was placed long after the link was issued: the order's time to be paid
   * has begun. A link that cannot be written does not stop the others.
   *
   * Core lets a merchant mark only a `not_paid` collection as paid, and placing an order unpaid makes its collection
   * `awaiting`. Set back, it is also the order's `payment_status`, and the collection can be deleted in the admin.
   *
   * @returns what became due
   * @throws the first failure, at the end
   */
  async sweepLinks(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: SweptLink[] }>(
      `WITH page AS MATERIALIZED (${OPEN_LINKS(LINKS_PAGE, `AND (r.created_at, r.id) < ${PAGE_BEGIN(LINKS_SWEEP)}`)}
       ), turned AS (${TURN_PAGE(LINKS_SWEEP, "created_at", String(LINKS_PAGE))}
       ), links AS MATERIALIZED ((${OPEN_LINKS(NEWEST_LINKS)}) UNION SELECT * FROM page
       ), set_back AS (
         UPDATE payment_collection pc SET status = 'not_paid', updated_at = now()
          WHERE pc.id = ANY(ARRAY(SELECT payment_collection_id FROM links)) AND pc.status = 'awaiting'
            AND EXISTS (SELECT 1 FROM order_payment_collection opc WHERE opc.payment_collection_id = pc.id AND opc.deleted_at IS NULL)
            AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_collection_id = pc.id AND p.deleted_at IS NULL))
       SELECT r.id, r.session_id, o.id AS order_id, found.*
         FROM links r
         LEFT JOIN LATERAL (SELECT o.* FROM "order" o WHERE o.id = ${ORDER_OF_REQUEST} LIMIT 1) o ON true
        CROSS JOIN LATERAL (
          SELECT true AS is_given_up, false AS is_paid_for, false AS is_newly_placed WHERE ${HAS_CANCELED_ORDER} OR ${ORDER_IS_GONE}
           UNION ALL
          SELECT false, booked.is_any, ${IS_NEWLY_PLACED} FROM (
            SELECT EXISTS (SELECT 1 FROM order_transaction t WHERE t.order_id = o.id AND t.deleted_at IS NULL) AS is_any
          ) booked
           WHERE o.id IS NOT NULL AND o.deleted_at IS NULL AND (booked.is_any OR ${IS_NEWLY_PLACED})
           LIMIT 1
        ) found`
    )
    const failures: unknown[] = []
    const attempt = async (act: () => Promise<void>): Promise<void> => {
      await act().catch((error: unknown) => failures.push(error))
    }
    for (const { id, session_id } of rows.filter((link) => link.is_given_up)) {
      await attempt(async () => await this.links.withdraw(id, session_id))
    }
    const placed = rows.filter((link) => !link.is_given_up)
    const owed = await this.readOwed(placed)
    const ids: string[] = []
    for (const link of placed) {
      const { id, session_id } = link
      await attempt(async () => {
        if (link.is_paid_for && !isMoreThan(owed(link), "0") && isPaidAnotherWay(await this.facts.read(id))) {
          await this.links.withdraw(id, session_id, PAID_ANOTHER_WAY)
        } else if (link.is_newly_placed) {
          ids.push(id)
        }
      })
    }
    const isFree = `r.id = ANY(:ids) AND ${IS_FREE}`
    const due = ids.length === 0 ? [] : await makeDue(this.knex, DUE_NOW(), isFree, { ids })
    if (failures.length > 0) {
      throw failures[0]
    }
    return due
  }

  private async readOwed<Row extends { order_id: string | null }>(
    rows: readonly Row[]
  ): Promise<(row: Row) => string> {
    const orderIds = rows.flatMap(({ order_id }) => order_id ?? [])
    const outstanding = await readOutstanding(this.knex, orderIds)
    return ({ order_id }) => outstanding.get(order_id ?? "") ?? "0"
  }
}

interface SweptLink {
  id: string
  session_id: string
  order_id: string | null
  is_given_up: boolean
  /** Something was booked on its order. */
  is_paid_for: boolean
  is_newly_placed: boolean
}

interface StoredCase extends Pick<CryptoPaymentRequestRow, "id" | "attention_reason"> {
  order_id: string
  attention_amount: string
}

function saysOtherwise({ attention_reason, attention_amount }: StoredCase, outstanding: string): boolean {
  const tooLittle = attention_reason === "order_underpaid" ? outstanding : MathBN.mult(outstanding, -1)
  return !amountsEqual(attention_amount, tooLittle)
}
