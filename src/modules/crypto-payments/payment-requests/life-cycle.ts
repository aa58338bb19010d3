import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { ActivityType } from "../models/crypto-payment-activity"
import type { CryptoPaymentRequestRow, RequestState } from "../models/crypto-payment-request"
import { REQUESTS } from "./request-sql"

/** The transitions of a payment request and their timeline entries. A state that is not in `from` does not change. */
export const TRANSITIONS = {
  /** The gateway answered the create call. */
  link_created: { from: ["creating"], to: "open", entry: "created" },
  /** The gateway answered the create call when nobody waited for it any more. The link is checked, never offered. */
  link_created_late: { from: ["closed"], to: "closed", entry: "created" },
  /** The call failed, has an unknown outcome or an unusable answer, or its session was deleted before the answer. */
  creation_failed: { from: ["creating"], to: "closed", entry: "closed" },
  /** The payer opened the payment step again: the link is bound to the new session. */
  link_reused: { from: ["open", "superseded"], to: "open", entry: "reused" },
  link_withdrawn: { from: ["open"], to: "superseded", entry: "superseded" },
  /** The payment is no longer expected, or the gateway does not know it. */
  given_up: { from: ["creating", "open", "superseded"], to: "closed", entry: "closed" },
  /** The gateway's list shows the request whose creation had an unknown outcome. */
  found_in_list: { from: ["creating", "closed"], to: "closed", entry: "created" },
  /** A read of the gateway says PAID. */
  read_as_paid: { from: ["creating", "open", "superseded", "closed"], to: "paid", entry: "paid" },
  /** Money of a deleted session is bound to the payer's new session. */
  money_rebound: { from: ["paid"], to: "paid", entry: "reused" },
  /** An admin user uses received money for an order: it is that order's payment from now on, of what was received. */
  money_applied: { from: ["paid"], to: "paid", entry: "applied" },
  /** Medusa has a capture for it. */
  captured: { from: ["paid", "captured"], to: "captured", entry: null },
  /** All that was received is registered as refunded. */
  refunded: { from: ["paid", "captured", "refunded"], to: "refunded", entry: null },
} as const satisfies Record<string, Transition>

interface Transition {
  from: readonly RequestState[]
  to: RequestState
  entry: ActivityType | null
}

type Cause = keyof typeof TRANSITIONS

interface TransitionRequest {
  where: Partial<CryptoPaymentRequestRow>
  /** SQL on the row `r`, in addition. */
  condition?: string
  set?: Record<string, unknown>
  detail?: TimelineDetail
}

/**
 * Performs one transition of each matching row: state, columns and timeline entry in one statement. All states except
 * the first are written only here. @returns the only or the first row; undefined when none has the state for it or
 * meets the condition: nothing is changed then
 */
export async function transition(
  knex: Knex,
  cause: Cause,
  { where, condition = "true", set = {}, detail = {} }: TransitionRequest
): Promise<CryptoPaymentRequestRow | undefined> {
  const { from, to, entry }: Transition = TRANSITIONS[cause]
  const changed = knex({ r: REQUESTS }).where(where).whereIn("state", from).whereNull("deleted_at")
  void changed
    .whereRaw(condition)
    .update({ ...set, state: to, updated_at: knex.fn.now() })
    .returning("*")
  return entry === null
    ? ((await changed) as CryptoPaymentRequestRow[])[0]
    : await changeWithEntry(knex, changed, entry, detail)
}

/** For entries that a statement writes. Their order is that of `position`. */
export const NEW_ENTRY_ID = "'cpact_' || replace(gen_random_uuid()::text, '-', '')"

/** Changes rows and writes a timeline entry of each. @param changed an UPDATE or INSERT that returns the rows */
export async function changeWithEntry(
  knex: Knex,
  changed: Knex.QueryBuilder,
  entry: ActivityType,
  detail: TimelineDetail
): Promise<CryptoPaymentRequestRow | undefined> {
  const { rows } = await knex.raw<{ rows: CryptoPaymentRequestRow[] }>(
    `WITH changed AS (?), entry AS (
       INSERT INTO crypto_payment_activity (id, request_id, type, detail, created_at)
       SELECT ${NEW_ENTRY_ID}, id, ?, ?::jsonb, clock_timestamp() FROM changed
     ) SELECT * FROM changed`,
    [changed, entry, JSON.stringify(detail)]
  )
  return rows[0]
}

/** Writes a row that the transaction has locked. */
export async function update(
  trx: Knex,
  id: string,
  set: Record<string, unknown>
): Promise<CryptoPaymentRequestRow> {
  const [row] = await trx<CryptoPaymentRequestRow>(REQUESTS)
    .where({ id })
    .update({ ...set, updated_at: trx.fn.now() })
    .returning("*")
  return row as CryptoPaymentRequestRow
}

export async function lockRow(
  trx: Knex,
  where: Partial<CryptoPaymentRequestRow>
): Promise<CryptoPaymentRequestRow | undefined> {
  return await trx<CryptoPaymentRequestRow>(REQUESTS).where(where).forUpdate().first()
}

/** Statuses, reasons, ids and amounts, never payer data. What is undefined is not stored. */
export type TimelineDetail = Record<string, string | null | undefined>

export async function addActivity(
  knex: Knex,
  requestId: string,
  type: ActivityType,
  detail: TimelineDetail
): Promise<void> {
  await knex("crypto_payment_activity").insert({
    id: generateEntityId(undefined, "cpact"),
    request_id: requestId,
    type,
    detail: JSON.stringify(detail),
    // The transaction's own time would date all its entries alike.
    created_at: knex.raw("clock_timestamp()"),
  })
}
