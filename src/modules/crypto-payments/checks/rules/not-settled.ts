import { IS_AT_REST, IS_CAPTURED, IS_EXPLAINED, REQUESTS_WHERE, type Rule } from "../rule"
import { FORGOTTEN } from "../windows"

export const not_settled: Rule = {
  invariant: "I2",
  message: "The payment is captured, but nothing finishes it: it has no case and no next check.",
  sql: REQUESTS_WHERE(
    "r.paid_at IS NOT NULL AND r.settled_at IS NULL AND r.state <> 'refunded'",
    `NOT ${IS_EXPLAINED}`,
    IS_AT_REST,
    IS_CAPTURED
  ),
  settles: { in: [FORGOTTEN], when: IS_CAPTURED },
}
