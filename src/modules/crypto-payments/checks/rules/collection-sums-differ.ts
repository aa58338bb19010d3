import { REQUESTS } from "../../payment-requests/request-sql"
import { IS_CRYPTO_PAYMENT, IS_NOT_HELD, type Rule } from "../rule"

const SUMS_OF = (table: "capture" | "refund"): string => `
  SELECT p.payment_collection_id, SUM(made.amount) AS amount
    FROM payment p JOIN ${table} made ON made.payment_id = p.id AND made.deleted_at IS NULL
   WHERE p.deleted_at IS NULL GROUP BY p.payment_collection_id`

/** Core writes these sums last, so a process that ends early does not update them. */
export const collection_sums_differ: Rule = {
  invariant: "I5",
  message: "The payment collection's sums differ from its captures and refunds.",
  sql: `
    WITH captured AS (${SUMS_OF("capture")}), refunded AS (${SUMS_OF("refund")}), suspected AS MATERIALIZED (
      SELECT pc.id FROM payment_collection pc
        LEFT JOIN captured ON captured.payment_collection_id = pc.id
        LEFT JOIN refunded ON refunded.payment_collection_id = pc.id
       WHERE pc.deleted_at IS NULL
         AND (round(COALESCE(pc.captured_amount, 0), 2) <> round(COALESCE(captured.amount, 0), 2)
              OR round(COALESCE(pc.refunded_amount, 0), 2) <> round(COALESCE(refunded.amount, 0), 2))
    )
    SELECT COALESCE(array_agg(DISTINCT r.id) FILTER (WHERE r.id IS NOT NULL), '{}') AS request_ids,
           COALESCE(array_agg(DISTINCT opc.order_id) FILTER (WHERE opc.order_id IS NOT NULL), '{}') AS order_ids
      FROM suspected
      LEFT JOIN ${REQUESTS} r ON r.payment_collection_id = suspected.id AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
      LEFT JOIN order_payment_collection opc ON opc.payment_collection_id = suspected.id AND opc.deleted_at IS NULL
     WHERE EXISTS (SELECT 1 FROM payment p
                    WHERE p.payment_collection_id = suspected.id AND ${IS_CRYPTO_PAYMENT} AND p.deleted_at IS NULL)
     GROUP BY suspected.id HAVING bool_and(r.id IS NULL OR ${IS_NOT_HELD})`,
}
