import type { AuditRule } from "../audit-rule"
import { CAPTURE_RULES } from "./captures"
import { orderOverpaid } from "./order-overpaid"
import { ORDER_RULES } from "./orders"
import { PAYMENT_REQUEST_RULES } from "./payment-requests"
import { REFUND_RULES } from "./refunds"

/** Everything the audit looks for, by the invariant that it proves. */
export const AUDIT_RULES: readonly AuditRule[] = [
  ...CAPTURE_RULES,
  ...ORDER_RULES,
  ...PAYMENT_REQUEST_RULES,
  ...REFUND_RULES,
  orderOverpaid,
].sort((a, b) => `${a.invariant} ${a.name}`.localeCompare(`${b.invariant} ${b.name}`))

export const AUDIT_RULE_NAMES = AUDIT_RULES.map(({ name }) => name)
