import type { AuditRule } from "../audit-sql"
import { CAPTURE_AND_REFUND_RULES } from "./captures-and-refunds"
import { OVERPAID_RULE } from "./order-overpaid"
import { ORDER_RULES } from "./orders"
import { PAYMENT_REQUEST_RULES } from "./payment-requests"

const RULES = {
  ...CAPTURE_AND_REFUND_RULES,
  ...ORDER_RULES,
  ...PAYMENT_REQUEST_RULES,
  ...OVERPAID_RULE,
}

export const AUDIT_RULES: readonly AuditRule[] = Object.entries(RULES)
  .map(([name, rule]) => ({ name, ...rule }))
  .sort((a, b) => `${a.invariant} ${a.name}`.localeCompare(`${b.invariant} ${b.name}`))

export const AUDIT_RULE_NAMES = AUDIT_RULES.map(({ name }) => name)
