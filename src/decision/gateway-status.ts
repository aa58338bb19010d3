import { PaymentActions, PaymentSessionStatus } from "@medusajs/framework/utils"
import { END_WORDS, isUnknownWord, UNPAID_WORD, type PaymentStatus } from "../gateway"
import type { DecidedRow } from "./facts"
import { HOUR_MS } from "./retry-ladder"

/** How long a gateway may fail, or contradict itself, before a case is opened. */
export const REFUSED_PATIENCE_MS = HOUR_MS

/**
 * What the gateway last said of a row. A recorded PAID is never downgraded. Any word that the interface does not list,
 * such as CONFIRMING, may mean that the payer is paying: it counts as PENDING, never as paid.
 *
 * @returns UNKNOWN for an end word, for a row that was never read, and for PAID without a record of it
 */
export function recordedStatus({
  paid_at,
  gateway_status: word,
}: Pick<DecidedRow, "paid_at" | "gateway_status">): PaymentStatus {
  if (paid_at !== null) {
    return "PAID"
  }
  if (word === null || word === "PAID" || END_WORDS.test(word)) {
    return "UNKNOWN"
  }
  return UNPAID_WORD.test(word) ? "UNPAID" : "PENDING"
}

/**
 * Whether a genuine notification or the gateway's list said PAID and no read shows it: the payer must not be asked to
 * pay again.
 */
export function isReported(row: DecidedRow): boolean {
  return row.is_reported_paid && row.paid_at === null && !isDenied(row, row.notified_at)
}

/** Whether an admin user has closed a case of the unpaid row since then: nothing was paid. */
function isDenied({ denied_at }: DecidedRow, since: Date | null): boolean {
  return denied_at !== null && denied_at >= (since ?? denied_at)
}

/**
 * Whether reads give a word that is not of the gateway's interface, as when it renames PAID, and no admin user has dealt
 * with it.
 */
export function hasUnknownWord(row: DecidedRow): boolean {
  const isUnknown = row.paid_at === null && wasRead(row) && isUnknownWord(row.gateway_status ?? "")
  return isUnknown && !isDenied(row, row.status_since)
}

/**
 * Whether money may have been received that no read shows as PAID: a genuine notification or the gateway's list says
 * PAID, a part has arrived, or the word may mean PAID.
 */
export function mayHaveMoney(row: DecidedRow): boolean {
  return isReported(row) || hasPart(row) || hasUnknownWord(row)
}

/**
 * Whether a part of the requested amount has arrived: the gateway names what was paid so far, and does not say PAID.
 */
export function hasPart({ paid_at, paid_amount }: Pick<DecidedRow, "paid_at" | "paid_amount">): boolean {
  return paid_at === null && paid_amount !== null
}

/**
 * Whether the rest is awaited: an admin user who closes the case of a part has dealt with the part; so has one who closes
 * the case of a closed link, which is another account's.
 */
export function isRestAwaited(row: DecidedRow): boolean {
  const { attention_reason, attention_resolved_at, denied_at, state } = row
  const isDealtWith = attention_reason === "partly_paid" && attention_resolved_at !== null
  return hasPart(row) && !isDealtWith && !(state === "closed" && denied_at !== null)
}

/** Whether the gateway has answered a read. Its word may be older: the answer to the creation has one too. */
function wasRead({ gateway_amount }: DecidedRow): boolean {
  return gateway_amount !== null
}

/**
 * Whether a read said that somebody is paying. The answer to a creation says PENDING too. An unknown word counts until
 * an admin user has dealt with it.
 */
export function hasBegun(row: DecidedRow): boolean {
  const isDealtWith = isUnknownWord(row.gateway_status ?? "") && !hasUnknownWord(row)
  return recordedStatus(row) === "PENDING" && wasRead(row) && !isDealtWith
}

/** Whether a read said that the attempt to pay has ended: the link is not offered again, and it is still checked. */
export function isEndWord(row: DecidedRow): boolean {
  return row.paid_at === null && wasRead(row) && END_WORDS.test(row.gateway_status ?? "")
}

/**
 * Medusa's session status for what the gateway says. Only PAID is captured; an end word waits like UNPAID.
 * `authorized`, `error` and `canceled` are never returned: HAZARDS in core make each of them lose money.
 */
export function toSessionStatus(status: PaymentStatus): PaymentSessionStatus {
  if (status === "PAID") {
    return PaymentSessionStatus.CAPTURED
  }
  return status === "PENDING" ? PaymentSessionStatus.PENDING : PaymentSessionStatus.REQUIRES_MORE
}

/** The action of a notification's word. Core acts on PAID only: it asks the provider, which has its own record. */
export function toWebhookAction(word: unknown): PaymentActions {
  if (word === "PAID") {
    return PaymentActions.SUCCESSFUL
  }
  if (word === "PENDING") {
    return PaymentActions.PENDING
  }
  return word === "UNPAID" ? PaymentActions.REQUIRES_MORE : PaymentActions.NOT_SUPPORTED
}
