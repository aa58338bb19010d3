import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { GatewayPayment } from "../support/gateway-control"
import type { StoreCluster } from "../support/cluster/store-cluster"
import type { MadeRefund } from "./merchant"
import { ORDER_FIRST, TTL_MINUTES } from "./order-first"

/**
 * A storefront prolongs an order to twice its time at most, as `decision/order-expiry.ts` says. Clocks are up to five
 * minutes apart, and the schedule needs a while.
 */
const OVERDUE_MINUTES = 2 * TTL_MINUTES + 8

export interface LedgerRow {
  id: string
  payment_request_id: string | null
  payment_collection_id: string
  cart_id: string | null
  amount: string
  currency_code: string
  state: string
  paid_at: Date | null
  captured_at: Date | null
  settled_at: Date | null
  order_announced_at: Date | null
  attention_reason: string | null
  attention_resolved_at: Date | null
}

/** A refund as the ledger has it, by the gateway's id of the payment request. */
export interface LedgerRefund extends MadeRefund {
  state: string
  registeredAt: Date
}

/** A payment of Medusa's, with what became of it. */
export interface MedusaPayment {
  id: string
  /** Made by one of our providers. Another one captures what it likes. */
  is_crypto: boolean
  payment_request_id: string | null
  payment_collection_id: string
  currency_code: string
  canceled_at: Date | null
  captures: { id: string; amount: string }[]
  refunds: { id: string; amount: string }[]
}

export interface MedusaOrder {
  id: string
  cart_id: string | null
  created_at: Date
  total: string
  /** What the order no longer asks for because it was sent back: the credit lines of its latest version. */
  credited: string
  canceled: boolean
  /** Placed unpaid, its time has been over for minutes, and nobody has a case for it. */
  isOverdue: boolean
  transactions: { reference: string | null; reference_id: string | null; amount: string }[]
}

/** Everything the three sides have, read past every service. */
export interface Facts {
  gateway: GatewayPayment[]
  ledger: LedgerRow[]
  payments: MedusaPayment[]
  orders: MedusaOrder[]
  refunds: LedgerRefund[]
  /** What the merchant registered and got a 200 for. */
  made: MadeRefund[]
  /** By how much the clock of a process may have been ahead of the database's: core dates orders by it. */
  aheadMs: number
}

export async function readFacts(
  { gateway, knex }: StoreCluster,
  made: MadeRefund[] = [],
  aheadMs = 0
): Promise<Facts> {
  return {
    made,
    aheadMs,
    gateway: await gateway.payments(),
    refunds: await all<LedgerRefund>(
      knex,
      `SELECT r.payment_request_id AS "paymentRequestId", f.amount, f.reference, f.state,
              f.created_at AS "registeredAt"
         FROM crypto_payment_refund f JOIN crypto_payment_request r ON r.id = f.request_id
        WHERE f.deleted_at IS NULL`
    ),
    ledger: await all<LedgerRow>(knex, "SELECT * FROM crypto_payment_request WHERE deleted_at IS NULL"),
    payments: await all<MedusaPayment>(
      knex,
      `SELECT p.id, p.provider_id LIKE 'pp_crypto_%' AS is_crypto, p.data ->> 'payment_request_id' AS payment_request_id, p.payment_collection_id,
              p.currency_code, p.canceled_at,
              (SELECT COALESCE(jsonb_agg(jsonb_build_object('id', c.id, 'amount', c.amount::text)), '[]')
                 FROM capture c WHERE c.payment_id = p.id AND c.deleted_at IS NULL) AS captures,
              (SELECT COALESCE(jsonb_agg(jsonb_build_object('id', r.id, 'amount', r.amount::text)), '[]')
                 FROM refund r WHERE r.payment_id = p.id AND r.deleted_at IS NULL) AS refunds
         FROM payment p WHERE p.deleted_at IS NULL`
    ),
    orders: await all<MedusaOrder>(
      knex,
      `SELECT o.id, oc.cart_id, o.created_at, (o.status = 'canceled') AS canceled,
              (o.status = 'pending' AND EXISTS (
                SELECT 1 FROM crypto_payment_request r
                 WHERE r.cart_id = oc.cart_id AND r.provider_id = '${ORDER_FIRST}' AND r.paid_at IS NULL
                   AND r.attention_reason IS NULL AND r.deleted_at IS NULL)
                AND NOT EXISTS (SELECT 1 FROM crypto_payment_request r
                                 WHERE r.cart_id = oc.cart_id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL)
                AND o.created_at < now() - interval '${OVERDUE_MINUTES} minutes') AS "isOverdue",
              (SELECT os.totals ->> 'current_order_total' FROM order_summary os
                WHERE os.order_id = o.id AND os.deleted_at IS NULL ORDER BY os.version DESC LIMIT 1) AS total,
              (SELECT COALESCE(SUM(l.amount), 0)::text FROM order_credit_line l
                WHERE l.order_id = o.id AND l.version = o.version AND l.deleted_at IS NULL) AS credited,
              (SELECT COALESCE(jsonb_agg(jsonb_build_object(
                        'reference', t.reference, 'reference_id', t.reference_id, 'amount', t.amount::text)), '[]')
                 FROM order_transaction t WHERE t.order_id = o.id AND t.deleted_at IS NULL) AS transactions
         FROM "order" o LEFT JOIN order_cart oc ON oc.order_id = o.id AND oc.deleted_at IS NULL
        WHERE o.deleted_at IS NULL`
    ),
  }
}

async function all<Row>(knex: Knex, sql: string): Promise<Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(sql)
  return rows
}
