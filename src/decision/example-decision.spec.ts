import type { DecisionInput } from "./decide"
import { OPEN_ROW, PAID, UNCAPTURED } from "./example-row.spec"
import type { DecidedFacts, DecidedRow } from "./facts"
import type { ReadFailure } from "./read-failure"

// What a decision is about, for the specs that change parts of it. No tests in it: its name keeps it out of the build.

export const NOW = new Date("2026-01-10T12:00:00Z")
const HOUR_MS = 60 * 60 * 1000
export const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR_MS)

/** A row as a read of the gateway has left it, or a failure to read. */
type Reading = Partial<DecidedRow>

export function read(word: "PAID" | "UNPAID" | "PENDING" | "UNKNOWN", changes: Reading = {}): Reading {
  return word === "PAID"
    ? { ...PAID, paid_at: NOW, ...changes }
    : { gateway_status: word === "UNKNOWN" ? "EXPIRED" : word, ...changes }
}

export function failed(failure: ReadFailure, hours: number, unread_since: Date | null = null): Reading {
  return { failure, failing_since: hoursAgo(hours), unread_since }
}

const placedOrder = {
  order_id: "order_1",
  asked_amount: null,
  order_booked: true,
  order_unpaid: "0",
}

/** Facts of what Medusa has for a row. */
export const EXAMPLES = {
  noSession: { session_amount: null, session_currency_code: null },
  captured: { payment_captured: "20.01", collection_amount: "20.01", collection_captured: "20.01" },
  placedOrder,
  unpaidOrder: { ...placedOrder, order_unpaid: "20.01" },
}

/** Facts of an order that may stay unpaid until `at`. */
export const expiring = (at: Date): Partial<DecidedFacts> => ({ order_expires_at: at })

/** A row older than the time in which most payers pay. */
export const FORGOTTEN = { created_at: hoursAgo(7 * 24) }

export function input(
  reading: Reading,
  facts: Partial<DecidedFacts> = {},
  row: Partial<DecidedRow> = {}
): DecisionInput {
  return {
    row: { ...OPEN_ROW, created_at: hoursAgo(7 * 24 - 1), ...reading, ...row },
    facts: { ...UNCAPTURED, database_now: NOW, ...facts },
  }
}
