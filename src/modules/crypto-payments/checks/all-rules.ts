import type { Rule } from "./rule"
import * as rules from "./rules"

/** By invariant, then by name. */
export const RULES: readonly Rule[] = Object.values(rules).sort((a, b) =>
  `${a.invariant} ${a.name}`.localeCompare(`${b.invariant} ${b.name}`)
)
