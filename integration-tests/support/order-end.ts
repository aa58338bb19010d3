import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** What the database holds for one order and its payments. Amounts as two-decimal strings. */
interface OrderEnd {
  transactions: string[]
  captures: { amount: string; collection: string; asks: string }[]
  /** Of the order, through its row or its payment collections, oldest first. */
  ledger: { id: string; state: string; settled: boolean; attention: string | null; asked: string }[]
}

/** Reads the end of an order from Postgres, past every service of ours and of core's. */
export async function readOrderEnd(knex: Knex, orderId: string): Promise<OrderEnd> {
  const { rows } = await knex.raw<{ rows: [OrderEnd] }>(
    `SELECT ARRAY(SELECT round(t.amount, 2)::text FROM order_transaction t
                   WHERE t.order_id = :orderId AND t.deleted_at IS NULL ORDER BY t.created_at) AS transactions,
            ARRAY(SELECT json_build_object('amount', round(c.amount, 2)::text, 'collection', pc.id,
                                           'asks', round(pc.amount, 2)::text)
                    FROM order_payment_collection opc
                    JOIN payment_collection pc ON pc.id = opc.payment_collection_id AND pc.deleted_at IS NULL
                    JOIN payment p ON p.payment_collection_id = pc.id AND p.deleted_at IS NULL
                    JOIN capture c ON c.payment_id = p.id AND c.deleted_at IS NULL
                   WHERE opc.order_id = :orderId AND opc.deleted_at IS NULL ORDER BY c.created_at) AS captures,
            ARRAY(SELECT json_build_object('id', r.id, 'state', r.state, 'settled', r.settled_at IS NOT NULL,
                                           'attention', r.attention_reason,
                                           'asked', r.amount || ' ' || r.currency_code)
                    FROM crypto_payment_request r
                   WHERE r.deleted_at IS NULL AND (r.order_id = :orderId OR r.payment_collection_id IN (
                     SELECT opc.payment_collection_id FROM order_payment_collection opc
                      WHERE opc.order_id = :orderId AND opc.deleted_at IS NULL))
                   ORDER BY r.created_at) AS ledger`,
    { orderId }
  )
  return rows[0]
}
