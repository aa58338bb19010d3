/** The invariants of the design: docs/audit.md has them in full. */
export type Invariant = "I1" | "I2" | "I3" | "I4" | "I5" | "I6" | "I7"

/** One fact about stored rows that must always be true, as a query for the rows that break it. */
export interface AuditRule {
  /** The name in reports, events and the docs. */
  name: string
  invariant: Invariant
  /** What is wrong, for the merchant. What to do about it: docs/audit.md. */
  message: string
  /**
   * Selects what breaks the rule: `request_ids` and `order_ids`, two arrays of text, one line per finding, and
   * `provider_id` where the finding is about a provider. It may use the
   * binding `:registered`, an array of the providers that medusa-config registers. It only reads.
   */
  sql: string
}
