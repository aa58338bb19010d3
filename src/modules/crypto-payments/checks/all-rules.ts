import type { NamedRule } from "./rule"
import * as rules from "./rules"

/** By invariant, then by name. */
export const RULES: readonly NamedRule[] = Object.entries(rules)
  .map(([name, rule]) => ({ name, ...rule }))
  .sort((a, b) => `${a.invariant} ${a.name}`.localeCompare(`${b.invariant} ${b.name}`))
