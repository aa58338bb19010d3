import { IS_CANCELED } from "../../payment-requests/request-sql"
import { IS_KEPT_UNTOLD, OF_ORDER, REQUESTS_WHERE, type Rule } from "../rule"
import { SETTLED_ON_ORDER } from "../windows"

const HAS_CANCELED_ORDER = OF_ORDER(IS_CANCELED)

/** Cancelling is refused while the payment is not sent back, but a script or SQL can still do it. */
export const order_canceled: Rule = {
  invariant: "I4",
  message: "The order is cancelled, its payment is not registered as sent back, and there is no case.",
  sql: REQUESTS_WHERE(IS_KEPT_UNTOLD, HAS_CANCELED_ORDER),
  settles: { in: [SETTLED_ON_ORDER], when: HAS_CANCELED_ORDER },
}
