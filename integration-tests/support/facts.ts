import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { GatewayControl } from "./gateway-control"
import { ORDER_FIRST, TTL_MINUTES } from "./order-first"

/** Money sent back at the gateway's dashboard, to be registered in Medusa. */
export interface MadeRefund {
  paymentRequestId: string
  amount: string
  reference: string
}

/** What the judge has to know of what people did. Orders by their ids. */
export const nothingDone = () => ({
  /** Refunds whose registration was answered with 200. */
  registered: [] as MadeRefund[],
  /** Orders that somebody tried to make cheaper. */
  cheapened: new Set<string>(),
  /** Payment requests whose money has to be used if their order, or their cart, still asks for exactly that. */
  exact: new Set<string>(),
})

/** The reference of what a merchant takes off a price. */
export const GOODWILL = "goodwill"

/** What is booked on the order `o`, whoever paid it. */
const BOOKED = `(SELECT COALESCE(SUM(t.amount), 0) FROM order_transaction t
                  WHERE t.order_id = o.id AND t.deleted_at IS NULL)`

/**
 * What the order `o` owes, as text; below zero when it owes its customer. Items whose return is only requested still
 * count, as for the plugin. No price here has a tax.
 */
export const OWED = `(SELECT round((s.totals ->> 'current_order_total')::numeric - ${BOOKED}, 2)::text
   FROM order_summary s WHERE s.order_id = o.id AND s.deleted_at IS NULL ORDER BY s.version DESC LIMIT 1)`

/** Captures and refunds, as what is booked on orders refers to them. */
export const MOVES = `(SELECT id, payment_id FROM capture WHERE deleted_at IS NULL
                  UNION ALL SELECT id, payment_id FROM refund WHERE deleted_at IS NULL)`

/**
 * A storefront prolongs an order to twice its time at most, as `decision/order-expiry.ts` says. Clocks are up to five
 * minutes apart, and the schedule needs a while.
 */
const OVERDUE_MINUTES = 2 * TTL_MINUTES + 8
/** An order with an open change is not cancelled, and is a case ten minutes after its time. */
const OVERDUE_IN_CHANGE_MINUTES = OVERDUE_MINUTES + 5
/** The order `o` has a change that is neither confirmed nor cancelled. */
const HAS_OPEN_CHANGE = `EXISTS (SELECT 1 FROM order_change c
  WHERE c.order_id = o.id AND c.deleted_at IS NULL AND c.status IN ('pending', 'requested'))`

/** A payment request as the ledger has it, with what Medusa has of its payment. */
export interface LedgerRow {
  id: string
  payment_request_id: string | null
  session_id: string
  paid_at: Date | null
  /** Somebody said PAID, no read has confirmed it, and no admin user has closed its case. */
  isOnlyReported: boolean
  /** The reason of its case, if that is open or an admin user has closed it with a note. */
  reason: string | null
  isOpen: boolean
  /** The amount that its case names. */
  told: string | null
  orderId: string | null
  captured: string
  /** Of its captured payment, that one's collection and their order, in small letters. */
  currencies: string[]
  /** What of it is booked on orders that are neither cancelled nor deleted; what was sent back is taken off. */
  onOrder: string
}

export interface MedusaOrder {
  id: string
  cart_id: string | null
  created_at: Date
  /** Neither cancelled nor deleted. */
  isLive: boolean
  isCanceled: boolean
  /** What it still owes; below zero when it owes its customer. */
  owed: string
  booked: string
  /** What each of its collections asks for in which nothing was paid. */
  asked: string[]
  currency: string
  /** What it no longer asks for because it was sent back: the credit lines of its latest version. */
  credited: string
  hasOpenChange: boolean
  /** Another provider has a payment of it. */
  isPaidOtherwise: boolean
  /** Placed unpaid, its time has been over for minutes, and nobody has a case for it. */
  isOverdue: boolean
}

/** A refund as the ledger has it, by the gateway's id of the payment request. */
export interface LedgerRefund extends MadeRefund {
  state: string
  registeredAt: Date
}

export type Facts = Awaited<ReturnType<typeof readFacts>>

/** Everything the three sides have, read past every service, and what people did. */
export async function readFacts(
  { gateway, knex }: { gateway: GatewayControl; knex: Knex },
  done = nothingDone()
) {
  return {
    done,
    gateway: await gateway.payments(),
    refunds: await all<LedgerRefund>(
      knex,
      `SELECT r.payment_request_id AS "paymentRequestId", f.amount, f.reference, f.state,
              f.created_at AS "registeredAt"
         FROM crypto_payment_refund f JOIN crypto_payment_request r ON r.id = f.request_id
        WHERE f.deleted_at IS NULL`
    ),
    ledger: await all<LedgerRow>(
      knex,
      `SELECT r.id, r.payment_request_id, r.session_id, r.paid_at,
              (r.is_reported_paid AND r.paid_at IS NULL AND r.attention_resolved_at IS NULL) AS "isOnlyReported",
              CASE WHEN r.attention_resolved_at IS NULL OR btrim(COALESCE(r.attention_note, '')) <> ''
                   THEN r.attention_reason END AS reason,
              r.attention_resolved_at IS NULL AS "isOpen", r.attention_amount AS told,
              COALESCE((SELECT c.order_id FROM order_payment_collection c
                         WHERE c.payment_collection_id = r.payment_collection_id AND c.deleted_at IS NULL LIMIT 1),
                       (SELECT c.order_id FROM order_cart c
                         WHERE c.cart_id = r.cart_id AND c.deleted_at IS NULL LIMIT 1), r.order_id) AS "orderId",
              ARRAY(SELECT DISTINCT lower(named.currency_code)
                      FROM payment p JOIN payment_collection pc ON pc.id = p.payment_collection_id
                      LEFT JOIN order_payment_collection l ON l.payment_collection_id = pc.id AND l.deleted_at IS NULL
                      LEFT JOIN "order" o ON o.id = l.order_id
                     CROSS JOIN LATERAL (VALUES (p.currency_code), (pc.currency_code), (o.currency_code)) named (currency_code)
                     WHERE p.data ->> 'payment_request_id' = r.payment_request_id AND named.currency_code IS NOT NULL
                       AND EXISTS (SELECT 1 FROM capture c WHERE c.payment_id = p.id AND c.deleted_at IS NULL)) AS currencies,
              (SELECT COALESCE(SUM(c.amount), 0)::text FROM payment p JOIN capture c ON c.payment_id = p.id
                WHERE p.data ->> 'payment_request_id' = r.payment_request_id AND c.deleted_at IS NULL) AS captured,
              (SELECT COALESCE(SUM(t.amount), 0)::text
                 FROM payment p
                 JOIN ${MOVES} m ON m.payment_id = p.id
                 JOIN order_transaction t ON t.reference_id = m.id AND t.deleted_at IS NULL
                 JOIN "order" o ON o.id = t.order_id AND o.deleted_at IS NULL AND o.status <> 'canceled'
                WHERE p.data ->> 'payment_request_id' = r.payment_request_id) AS "onOrder"
         FROM crypto_payment_request r WHERE r.deleted_at IS NULL`
    ),
    orders: await all<MedusaOrder>(
      knex,
      `SELECT o.id, oc.cart_id, o.created_at, o.currency_code AS currency,
              (o.deleted_at IS NULL AND o.status <> 'canceled') AS "isLive", (o.status = 'canceled') AS "isCanceled",
              ${OWED} AS owed, ${BOOKED}::text AS booked,
              ARRAY(SELECT pc.amount::text FROM order_payment_collection c
                      JOIN payment_collection pc ON pc.id = c.payment_collection_id AND pc.deleted_at IS NULL
                     WHERE c.order_id = o.id AND c.deleted_at IS NULL AND pc.status IN ('not_paid', 'awaiting')) AS asked,
              (SELECT COALESCE(SUM(l.amount), 0)::text FROM order_credit_line l
                WHERE l.order_id = o.id AND l.version = o.version AND l.deleted_at IS NULL
                  AND l.reference IS DISTINCT FROM '${GOODWILL}') AS credited,
              ${HAS_OPEN_CHANGE} AS "hasOpenChange",
              EXISTS (SELECT 1 FROM order_payment_collection c JOIN payment p USING (payment_collection_id)
                       WHERE c.order_id = o.id AND c.deleted_at IS NULL AND p.deleted_at IS NULL
                         AND p.provider_id NOT LIKE 'pp_crypto_%') AS "isPaidOtherwise",
              (o.status = 'pending' AND NOT o.is_draft_order
                AND EXISTS (SELECT 1 FROM crypto_payment_request r
                             WHERE r.cart_id = oc.cart_id AND r.provider_id = '${ORDER_FIRST}' AND r.paid_at IS NULL
                               AND r.attention_reason IS NULL AND r.deleted_at IS NULL)
                AND NOT EXISTS (SELECT 1 FROM crypto_payment_request r
                                 WHERE r.cart_id = oc.cart_id AND r.deleted_at IS NULL
                                   AND (r.paid_at IS NOT NULL OR r.attention_reason IS NOT NULL
                                        -- A notification that was bent says PAID: that keeps the order for a day.
                                        OR r.is_reported_paid))
                AND NOT EXISTS (SELECT 1 FROM order_fulfillment f WHERE f.order_id = o.id AND f.deleted_at IS NULL)
                AND NOT EXISTS (SELECT 1 FROM order_transaction t WHERE t.order_id = o.id AND t.deleted_at IS NULL)
                AND o.created_at < now() - CASE WHEN ${HAS_OPEN_CHANGE} THEN interval '${OVERDUE_IN_CHANGE_MINUTES} minutes'
                                                ELSE interval '${OVERDUE_MINUTES} minutes' END) AS "isOverdue"
         FROM "order" o LEFT JOIN order_cart oc ON oc.order_id = o.id AND oc.deleted_at IS NULL`
    ),
  }
}

async function all<Row>(knex: Knex, sql: string): Promise<Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(sql)
  return rows
}
