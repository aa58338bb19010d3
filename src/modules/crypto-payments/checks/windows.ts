import { IS_PAID_AGAIN } from "../payment-requests/order-balance"
import {
  HAS_CASE_THAT_EXPLAINS_MONEY,
  IS_CANCELED,
  IS_CASE_OF_SUM,
  IS_FREE,
  ORDER_IS_GONE,
  ORDER_OF_CART,
  ORDER_OF_COLLECTION,
  ORDER_OF_REQUEST,
} from "../payment-requests/request-sql"
import { IS_CAPTURED, OF_ORDER } from "./rule"
import { IS_BOOKED_OTHERWISE } from "./rules/orders"
import { IS_NOT_DUE } from "./rules/payments"

/**
 * The newest rows of a kind, which the schedule checks each minute: so its cost does not depend on history. A partial
 * index contains them. What happens to older ones is a finding of the nightly audit, or is seen at their next check.
 */
export interface Window {
  name: string
  /** The condition on a row `r`. */
  rows: string
  /** The column that says which rows are newer. */
  time: string
  most: number
  /**
   * The condition that makes a row due: its settle repairs it, or opens a case. It must not hold any more after that
   * settle: otherwise the row would be settled each minute. Its subqueries are scalar, because Postgres would read the
   * whole table of an EXISTS for a page of rows.
   */
  due: string
  /** What the row says its order owes, below zero when too much was paid. Only a row that is wrong about it is due. */
  claimed?: string
  /** Whether core lets no merchant mark the row's order as paid. */
  awaiting?: string
}

/** The order that is linked to the row's cart or, without one, to its payment collection. */
const HAS_NO_LINKED_ORDER = `(SELECT o.id FROM "order" o
  WHERE o.id = CASE WHEN r.cart_id IS NULL THEN ${ORDER_OF_COLLECTION} ELSE ${ORDER_OF_CART} END
    AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}) IS NULL`

/**
 * Settled payments with an order.
 *
 * A settle links the collection of an order without a cart again. It cannot link a cart's order to its collection, so
 * only the audit looks for that (`order_missing`).
 */
export const SETTLED_ON_ORDER: Window = {
  name: "settled_orders",
  rows: `r.state = 'captured' AND r.settled_at IS NOT NULL AND r.order_id IS NOT NULL
    AND r.attention_reason IS DISTINCT FROM 'paid_without_order' AND r.next_check_at IS NULL AND r.deleted_at IS NULL`,
  time: "settled_at",
  most: 5000,
  due: `NOT ${IS_CAPTURED} OR ${HAS_NO_LINKED_ORDER} OR ${IS_BOOKED_OTHERWISE} OR ${IS_PAID_AGAIN("r.order_id")}`,
}

/** Paid rows that are not finished, have no case that explains it, and would not be checked again. All are findings. */
export const FORGOTTEN: Window = {
  name: "forgotten",
  rows: `r.next_check_at IS NULL AND r.settled_at IS NULL AND r.paid_at IS NOT NULL
    AND r.state IN ('paid', 'captured') AND r.deleted_at IS NULL AND NOT ${HAS_CASE_THAT_EXPLAINS_MONEY} AND ${IS_FREE}`,
  time: "id",
  most: 500,
  due: "true",
}

/**
 * Since its last check. Servers' clocks differ, and a completion reads the gateway before core has placed the order.
 */
const IS_SINCE_CHECK = (at: string): string =>
  `COALESCE(${at} + interval '1 minute' > COALESCE(r.last_checked_at, r.created_at), false)`

const IS_ORDER_PLACED = `(r.next_check_at > now() + interval '1 hour'
  AND ${IS_SINCE_CHECK(`GREATEST(${OF_ORDER("o.created_at", ORDER_OF_REQUEST)}, r.order_announced_at)`)})`

const IS_ORDER_PAID = IS_SINCE_CHECK(`(
  SELECT MAX(t.created_at) FROM order_transaction t WHERE t.order_id = ${ORDER_OF_REQUEST} AND t.deleted_at IS NULL)`)

const IS_ORDER_OVER = `(COALESCE(${OF_ORDER(IS_CANCELED, ORDER_OF_REQUEST)}, false) OR ${ORDER_IS_GONE})`

/** The last settle has ended without a failure or a case: either has its own times. */
const IS_BETWEEN_CHECKS =
  "(r.failure IS NULL AND r.attention_reason IS NULL AND r.settles_begun = 0 AND r.next_check_at > now())"

/**
 * Links whose order was placed, paid, cancelled or deleted since their last check: the order's time to be paid begins,
 * or a settle withdraws the link. And links that nobody would check again.
 *
 * Placing an order unpaid makes its collection `awaiting`. Core lets a merchant mark only a `not_paid` collection as
 * paid: `offerMarkAsPaid` sets it back. It is also the order's `payment_status`, and the admin can delete the
 * collection.
 */
export const OPEN_LINKS: Window = {
  name: "open_links",
  rows: "r.state = 'open' AND r.deleted_at IS NULL",
  time: "created_at",
  most: 3000,
  due: `${IS_NOT_DUE} OR (${IS_BETWEEN_CHECKS} AND (${IS_ORDER_OVER} OR ${IS_ORDER_PLACED} OR ${IS_ORDER_PAID}))`,
  awaiting: `(SELECT pc.status FROM payment_collection pc
            WHERE pc.id = r.payment_collection_id AND pc.deleted_at IS NULL) = 'awaiting'
      AND ${ORDER_OF_COLLECTION} IS NOT NULL
      AND (SELECT p.id FROM payment p WHERE p.payment_collection_id = r.payment_collection_id AND p.deleted_at IS NULL LIMIT 1) IS NULL`,
}

/** What the case says that the order owes, below zero when too much was paid. */
export const CLAIMED = `(r.attention_amount::numeric * CASE r.attention_reason WHEN 'order_underpaid' THEN 1 ELSE -1 END)::text`

/** Open cases that name what an order owes, or what was captured too much for it. */
export const CASES_OF_SUM: Window = {
  name: "cases_of_sum",
  rows: `${IS_CASE_OF_SUM} AND r.order_id IS NOT NULL AND r.deleted_at IS NULL`,
  time: "attention_since",
  most: 200,
  due: "true",
  claimed: CLAIMED,
}

export const WINDOWS = [SETTLED_ON_ORDER, FORGOTTEN, OPEN_LINKS, CASES_OF_SUM]
