import { IS_CANCELED, ORDER_IS_GONE, ORDER_OF_REQUEST } from "../../payment-requests/request-sql"
import { IS_NOT_HELD, OF_ORDER, REQUESTS_WHERE, type Rule } from "../rule"
import { OPEN_LINKS } from "../windows"

/** Two checks of an old link are at most 30 days apart. */
const IS_NOT_DUE = "(r.next_check_at IS NULL OR r.next_check_at > now() + interval '45 days')"

/** Since its last check. Servers' clocks differ, and a completion reads the gateway before core has placed the order. */
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
 * A link can be paid for ever, and without checks only a notification would report it. A lease that is no settle's keeps
 * the schedule from checking.
 *
 * Each minute the schedule also looks for links whose order was placed, paid, cancelled or deleted since their last
 * check. The order's time to be paid begins, or a settle withdraws the link.
 */
export const link_not_watched: Rule = {
  invariant: "I2",
  message: "A payment link that was given out is not checked any more.",
  sql: REQUESTS_WHERE(
    "r.state IN ('open', 'superseded')",
    IS_NOT_HELD,
    `(${IS_NOT_DUE} OR r.lease_until > now())`
  ),
  settles: {
    in: [OPEN_LINKS],
    when: `${IS_NOT_DUE} OR (${IS_BETWEEN_CHECKS} AND (${IS_ORDER_OVER} OR ${IS_ORDER_PLACED} OR ${IS_ORDER_PAID}))`,
  },
}
