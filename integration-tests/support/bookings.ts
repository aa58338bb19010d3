import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Leaves orders as they are before core books something on them: without those transactions, and with the sums of the others. */
export async function removeBookings(
  knex: Knex,
  which: { order_id?: string; reference?: "capture" | "refund" } = {}
): Promise<void> {
  await knex("order_transaction").where(which).delete()
  await knex.raw(
    `UPDATE order_summary os SET totals = os.totals || jsonb_build_object(
        'paid_total', sums.paid, 'raw_paid_total', jsonb_build_object('value', sums.paid::text, 'precision', 20),
        'refunded_total', sums.refunded, 'raw_refunded_total', jsonb_build_object('value', sums.refunded::text, 'precision', 20),
        'transaction_total', sums.paid - sums.refunded,
        'raw_transaction_total', jsonb_build_object('value', (sums.paid - sums.refunded)::text, 'precision', 20),
        'pending_difference', sums.pending, 'raw_pending_difference', jsonb_build_object('value', sums.pending::text, 'precision', 20))
       FROM (
         SELECT os.id, booked.paid, booked.refunded,
                (os.totals ->> 'current_order_total')::numeric - booked.paid + booked.refunded AS pending
           FROM order_summary os
          CROSS JOIN LATERAL (
            SELECT COALESCE(SUM(GREATEST(t.amount, 0)), 0) AS paid, COALESCE(-SUM(LEAST(t.amount, 0)), 0) AS refunded
              FROM order_transaction t WHERE t.order_id = os.order_id AND t.deleted_at IS NULL
          ) booked
       ) sums
      WHERE sums.id = os.id AND os.order_id = COALESCE(:orderId, os.order_id)`,
    { orderId: which.order_id ?? null }
  )
}
