import { REQUESTS } from "../../payment-requests/request-sql"
import {
  ADDRESSES,
  CART_OF_COMPLETION,
  IS_BEGUN_FOR_CART,
  IS_BROKEN_OFF,
  IS_CANCELED,
  IS_WITHOUT_CART,
  MAY_BE_UNDER_WAY,
} from "../../payment-requests/unlinked-orders"
import type { AuditRule } from "../audit-rule"
import { IS_AT_REST } from "../audit-sql"

const REQUESTS_OF_CART = `ARRAY(SELECT r.id FROM ${REQUESTS} r
  WHERE r.cart_id = c.id AND r.deleted_at IS NULL ORDER BY r.id)`

const IS_LEFT = `NOT ${IS_CANCELED} AND NOT ${MAY_BE_UNDER_WAY}
  AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} r
                   WHERE r.cart_id = c.id AND r.deleted_at IS NULL AND NOT ${IS_AT_REST})`

/** The first ten characters of the ULIDs of a moment. An order's id begins with its time. */
const TIME_OF_ULID = (moment: string): string => `(
  SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
           ((floor(extract(epoch FROM ${moment}) * 1000)::bigint >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC)
    FROM generate_series(0, 9) place)`

/** Settling takes such an order back, unless a person has worked with it. */
export const ghostOrder: AuditRule = {
  name: "ghost_order",
  invariant: "I4",
  message: "An order was begun for a cart and was never placed: the server ended in between.",
  sql: `
    WITH begun AS MATERIALIZED (
      SELECT ${CART_OF_COMPLETION} AS cart_id,
             'order_' || ${TIME_OF_ULID("(e.created_at - interval '10 minutes')")} AS first_id,
             'order_' || ${TIME_OF_ULID("(e.created_at + interval '12 minutes')")} AS last_id
        FROM workflow_execution e
       WHERE ${IS_BROKEN_OFF}
         AND EXISTS (SELECT 1 FROM ${REQUESTS} r WHERE r.cart_id = ${CART_OF_COMPLETION} AND r.deleted_at IS NULL)
    )
    SELECT ${REQUESTS_OF_CART} AS request_ids, ARRAY[o.id] AS order_ids
      FROM begun JOIN cart c ON c.id = begun.cart_id
      JOIN "order" o ON o.id BETWEEN begun.first_id AND begun.last_id
      ${ADDRESSES}
     WHERE ${IS_BEGUN_FOR_CART} AND ${IS_LEFT}
     UNION
    SELECT ${REQUESTS_OF_CART}, ARRAY[o.id]
      FROM order_payment_collection link
      JOIN "order" o ON o.id = link.order_id
      JOIN cart_payment_collection own ON own.payment_collection_id = link.payment_collection_id AND own.deleted_at IS NULL
      JOIN cart c ON c.id = own.cart_id
     WHERE link.deleted_at IS NULL AND ${IS_WITHOUT_CART} AND ${IS_LEFT}
       AND EXISTS (SELECT 1 FROM ${REQUESTS} r WHERE r.cart_id = c.id AND r.deleted_at IS NULL)`,
}
