import type { Rule } from "./rule"
import { RULES_OF_ORDERS } from "./rules/orders"
import { RULES_OF_PAYMENTS } from "./rules/payments"
import { RULES_OF_SUMS } from "./rules/sums"

export const RULES: readonly Rule[] = [...RULES_OF_PAYMENTS, ...RULES_OF_ORDERS, ...RULES_OF_SUMS]
