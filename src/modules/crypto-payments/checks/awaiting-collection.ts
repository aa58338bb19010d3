import { ORDER_OF_COLLECTION } from "../payment-requests/request-sql"
import { OPEN_LINKS } from "./windows"

/**
 * Placing an order unpaid makes its collection `awaiting`. Core lets a merchant mark only a `not_paid` collection as
 * paid: `offerMarkAsPaid` sets it back. It is also the order's `payment_status`, and the admin can delete the collection.
 */
export const AWAITING_COLLECTION = {
  name: "collection_awaiting",
  settles: {
    in: [OPEN_LINKS],
    when: `(SELECT pc.status FROM payment_collection pc
            WHERE pc.id = r.payment_collection_id AND pc.deleted_at IS NULL) = 'awaiting'
      AND ${ORDER_OF_COLLECTION} IS NOT NULL
      AND (SELECT p.id FROM payment p WHERE p.payment_collection_id = r.payment_collection_id AND p.deleted_at IS NULL LIMIT 1) IS NULL`,
  },
}
