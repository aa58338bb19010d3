import { IS_REGISTERED, REQUESTS } from "../../payment-requests/request-sql"
import { IS_CRYPTO_PAYMENT, ORDERS_OF_COLLECTION, type Rule } from "../rule"

/** Only a registration shows that money was sent back. Core writes a refund before it asks the provider. */
export const refund_not_registered: Rule = {
  invariant: "I5",
  message: "Medusa has a refund of the payment that nobody registered.",
  sql: `
    SELECT ARRAY(SELECT r.id FROM ${REQUESTS} r
                  WHERE r.paid_session_id = p.payment_session_id AND r.deleted_at IS NULL ORDER BY 1) AS request_ids,
           ${ORDERS_OF_COLLECTION("p.payment_collection_id")} AS order_ids
      FROM refund ref JOIN payment p ON p.id = ref.payment_id AND p.deleted_at IS NULL
     WHERE ref.deleted_at IS NULL AND ref.created_at < now() - interval '1 minute' AND ${IS_CRYPTO_PAYMENT} AND NOT ${IS_REGISTERED}`,
}
