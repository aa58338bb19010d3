import { isMoreThan } from "../../../../decision"
import { IS_PAID_AGAIN } from "../../payment-requests/order-balance"
import { PAID_OTHERWISE } from "../paid-otherwise"
import type { Rule } from "../rule"
import { SETTLED_ON_ORDER } from "../windows"

/** A settle judges its own payment, and later ones of the order when their sum has grown. */
export const order_overpaid: Rule = {
  invariant: "I5",
  message: "More was captured for the order than it cost at that time, and no case reported it.",
  sql: PAID_OTHERWISE({
    candidates: "owes.amount <= -0.01",
    cost: "MAX",
    condition: "received.kept > cost.amount + 0.01",
    reasons: "'order_overpaid', 'duplicate_payment', 'paid_on_canceled'",
  }),
  judge: (owed) => isMoreThan("0", owed),
  settles: { in: [SETTLED_ON_ORDER], when: IS_PAID_AGAIN("r.order_id") },
}
