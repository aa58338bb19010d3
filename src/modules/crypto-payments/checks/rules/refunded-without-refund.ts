import { REGISTERED_REFUND } from "../../payment-requests/request-sql"
import { REQUESTS_WHERE, type Rule } from "../rule"

/** Only registered refunds make a payment refunded, and no more can be sent back than was received. */
export const refunded_without_refund: Rule = {
  invariant: "I2",
  message:
    "The payment counts as refunded and the registered refunds are not all of it, or they are more than was received.",
  sql: REQUESTS_WHERE(
    "(r.state = 'refunded' OR r.refund_registered_at IS NOT NULL)",
    `CASE r.state WHEN 'refunded' THEN ${REGISTERED_REFUND} = round(r.gateway_amount::numeric, 2)
       ELSE ${REGISTERED_REFUND} <= round(r.gateway_amount::numeric, 2) END IS NOT TRUE`
  ),
}
