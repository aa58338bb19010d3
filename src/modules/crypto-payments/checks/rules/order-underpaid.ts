import { isMoreThan } from "../../../../decision"
import { PAID_OTHERWISE } from "../paid-otherwise"
import type { Rule } from "../rule"

/** The link of a cart is to pay all of its order. What was sent back later was paid. */
export const order_underpaid: Rule = {
  invariant: "I5",
  message: "Less was captured for the order than it cost at that time, and no case reported it.",
  sql: PAID_OTHERWISE({
    candidates: "owes.amount >= 0.01",
    cost: "MIN",
    condition: "r.cart_id IS NOT NULL AND received.ever < cost.amount - 0.01",
    reasons: "'order_underpaid'",
  }),
  judge: (owed) => isMoreThan(owed, "0"),
}
