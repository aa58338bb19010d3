import type { DecidedFacts, DecidedRow } from "./facts"
import { amountsEqual } from "./money"

/**
 * Whether the collections of a settled payment's order ask for the wrong amounts. Core can neither take the rest in a
 * collection that has a captured payment nor mark it as paid. It calls an order refunded as soon as what its collection
 * asks for is refunded. Not before the outcome is written: until then this amount shows that too little was paid.
 */
export function mayAlign(
  { settled_at, attention_reason }: DecidedRow,
  attention: string | undefined,
  facts: DecidedFacts
): boolean {
  const isWritten = settled_at !== null && (attention === undefined || attention === attention_reason)
  return isWritten && needsAlignment(attention, facts)
}

/** @see mayAlign */
export function needsAlignment(
  attention: string | undefined,
  {
    order_id,
    collection_amount,
    collection_captured,
    collection_has_open_payment,
    rest_is_asked_for,
  }: DecidedFacts
): boolean {
  if (order_id === null || collection_amount === null || collection_has_open_payment) {
    return false
  }
  const asksOtherwise = !amountsEqual(collection_amount, collection_captured)
  return asksOtherwise || (attention === "order_underpaid" && !rest_is_asked_for)
}
