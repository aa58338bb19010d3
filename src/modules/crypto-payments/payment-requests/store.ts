import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { aboveZero, isUnknownWord, type PaymentRequest } from "../../../gateway"
import { soonerOf, type Outcome, type ReadFailure } from "../../../decision"
import type { ActivityType } from "../models/crypto-payment-activity"
import type { CryptoPaymentRequestRow, PendingAnnouncement } from "../models/crypto-payment-request"
import { unknownRequestError, undefinedOnUniqueViolation } from "../errors"
import { addAnnouncements } from "./announcements"
import { attentionColumns, isCaseOver, NO_CASE, opensCase } from "./attention-case"
import { addActivity, lockRow, transition, update, type TimelineDetail } from "./life-cycle"
import { fence, LEASE, LeaseLost, type LeasedRow } from "./leases"
import type { DueRow } from "./queue"
import { IS_UNKNOWN_WORD, IS_FREE, REQUESTS, STRAY } from "./request-sql"

/** A leased, unpaid row that a read and a decision do not change, except for its next check. */
export interface UnchangedRow {
  lease: DueRow
  read: PaymentRequest
  nextCheckAt: Date | null
}

/** Finds rows of payment requests, and writes what a read or a settle found. */
export class PaymentRequestStore {
  constructor(private readonly knex: Knex) {}

  async find(id: string): Promise<CryptoPaymentRequestRow | undefined> {
    return await this.first({ id })
  }

  async require(id: string): Promise<CryptoPaymentRequestRow> {
    const row = await this.find(id)
    if (row === undefined) {
      throw unknownRequestError(id)
    }
    return row
  }

  async findByPaymentRequestId(paymentRequestId: string): Promise<CryptoPaymentRequestRow[]> {
    return await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .where({ payment_request_id: paymentRequestId })
      .whereNull("deleted_at")
  }

  /** The request that is now bound to the session. A former session is never a reason to pay. */
  async findBySession(sessionId: string): Promise<CryptoPaymentRequestRow | undefined> {
    return await this.first({ session_id: sessionId })
  }

  /** The providers of links that are offered or checked, and of money that Medusa has not captured. */
  async listUnfinishedProviders(): Promise<string[]> {
    return await this.knex(REQUESTS)
      .whereIn("state", ["open", "superseded", "paid"])
      .whereNull("deleted_at")
      .distinct()
      .pluck<string[]>("provider_id")
  }

  async isReadSince(id: string, maxAgeMs: number): Promise<boolean> {
    const rows = await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .where({ id })
      .whereRaw("last_checked_at > now() - ? * interval '1 millisecond'", [maxAgeMs])
      .select("id")
    return rows.length > 0
  }

  /**
   * Writes what the gateway said. PAID is recorded once, and nothing said later changes it. @throws LeaseLost
   */
  async recordReading(id: string, read: PaymentRequest, lease?: LeasedRow): Promise<CryptoPaymentRequestRow> {
    const set = {
      ...columnsOf(read),
      status_since: this.knex.raw(
        `CASE WHEN last_checked_at IS NOT NULL AND (gateway_status = :word
             OR :isUnknown AND ${IS_UNKNOWN_WORD} AND (denied_at >= status_since) IS NOT TRUE)
           THEN COALESCE(status_since, now()) ELSE now() END`,
        { word: read.paymentStatusReceived, isUnknown: isUnknownWord(read.paymentStatusReceived) }
      ),
      failure: null,
      failing_since: null,
      unread_since: null,
      last_checked_at: this.knex.fn.now(),
    }
    const recordPaid = async (unbind = {}): Promise<CryptoPaymentRequestRow> => {
      const row = await transition(this.knex, "read_as_paid", {
        where: { id, paid_at: null, ...fence(lease) },
        set: {
          ...set,
          ...unbind,
          paid_at: this.knex.fn.now(),
          // If this process dies now, the next tick continues. A row that is due stays due.
          next_check_at: this.knex.raw("LEAST(next_check_at, now() + interval '1 minute')"),
        },
        detail: { amount: read.amount, currency_symbol: read.currencySymbol },
      })
      return row ?? (await this.current(id, lease))
    }
    if (read.paymentStatus !== "PAID") {
      return await this.writeUnlessPaid(id, lease, set)
    }
    const paid = await undefinedOnUniqueViolation(recordPaid())
    // A closed row whose session another row can pay for now: this money pays for no session.
    return paid ?? (await recordPaid({ session_id: this.knex.raw(`'${STRAY}' || session_id || ':' || id`) }))
  }

  /** Records that the gateway could not be read. @throws LeaseLost */
  async recordFailure(id: string, failure: ReadFailure, lease?: LeasedRow): Promise<CryptoPaymentRequestRow> {
    return await this.writeUnlessPaid(id, lease, {
      failing_since: this.knex.raw(
        "CASE WHEN failure = ? THEN COALESCE(failing_since, now()) ELSE now() END",
        [failure]
      ),
      unread_since: this.knex.raw("COALESCE(unread_since, now())"),
      failure,
      last_checked_at: this.knex.fn.now(),
    })
  }

  /**
   * Binds the money to the session to which the row is bound, before core is asked to capture it. Only
   * `PaymentLinks.adoptPaid` undoes that.
   *
   * @returns false when either is claimed already, the row is bound to another session now, an admin user has closed its
   *   case since it was read, money was refunded, the lease is lost, or another payment of the collection has a claim
   *   that core has not used yet: core completes a cart with whichever session it reads first
   */
  async claimSession(
    lease: LeasedRow,
    { session_id: sessionId, attention_resolved_at }: CryptoPaymentRequestRow
  ): Promise<boolean> {
    const claim = this.knex(REQUESTS)
      .where({ ...fence(lease), session_id: sessionId })
      .whereNotNull("paid_at")
      // Set under the row's lock when a refund is registered: refunded money pays for nothing.
      .whereNull("refund_registered_at")
      .whereNot({ state: "refunded" })
      // An admin user may have closed the case since the row was read: then it is decided again.
      .whereRaw("(attention_resolved_at IS NULL) = ?", [attention_resolved_at === null])
      .where((free) => free.whereNull("paid_session_id").orWhere({ paid_session_id: sessionId }))
      .whereRaw(
        `NOT EXISTS (SELECT 1 FROM ${REQUESTS} q JOIN payment_session s ON s.id = q.paid_session_id AND s.deleted_at IS NULL
                      WHERE q.payment_collection_id = ${REQUESTS}.payment_collection_id AND q.id <> ${REQUESTS}.id
                        AND q.state = 'paid' AND q.refund_registered_at IS NULL AND q.attention_reason IS NULL
                        AND q.deleted_at IS NULL)`
      )
      .update({ paid_session_id: sessionId, updated_at: this.knex.fn.now() })
    return (await undefinedOnUniqueViolation(claim)) === 1
  }

  async addActivity(id: string, type: ActivityType, detail: TimelineDetail): Promise<void> {
    await addActivity(this.knex, id, type, detail)
  }

  /** Closes an unpaid row that the gateway does not know, unless a settle holds it. */
  async giveUp(id: string): Promise<void> {
    await transition(this.knex, "given_up", { where: { id, paid_at: null }, condition: IS_FREE })
  }

  /**
   * Ends a settle in one transaction, and releases the row. When PAID has been recorded since the decision read the
   * row, or somebody has asked for a check or opened the link again while this settle ran, it is due again. @throws
   * LeaseLost
   */
  async finish(
    lease: LeasedRow,
    decidedOn: CryptoPaymentRequestRow,
    outcome: Outcome
  ): Promise<CryptoPaymentRequestRow> {
    return await this.knex.transaction(async (trx) => {
      const current = await lockRow(trx, fence(lease))
      if (current === undefined) {
        throw new LeaseLost()
      }
      if (current.state === "refunded" && decidedOn.state !== "refunded") {
        // A slow registration has ended meanwhile: all was sent back, and the decision is outdated.
        return await update(trx, current.id, { ...RELEASED, check_trigger: null })
      }
      const row = await writeOutcome(trx, current, decidedOn, outcome)
      await addOutcomeActivity(trx, current, row, outcome.detail)
      return row
    })
  }

  /**
   * Ends the settles of unchanged unpaid rows in one statement: writes the reading and the next check. The readings are
   * dated by the lease, which is older than each of them.
   *
   * @returns the ids of rows that nothing has written since they were leased; the others are unchanged
   */
  async finishUnchanged(rows: readonly UnchangedRow[]): Promise<string[]> {
    const [first] = rows
    if (first === undefined) {
      return []
    }
    const entries = rows.map(({ lease: { id, lease_id, version }, read, nextCheckAt }) => ({
      ...columnsOf(read),
      ...{ id, lease_id, version, next_check_at: nextCheckAt },
    }))
    const read = Object.keys(columnsOf(first.read)).map((column) => `${column} = entry ->> '${column}'`)
    const { rows: written } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${REQUESTS} r
          SET ${read.join(", ")}, last_checked_at = r.lease_until - interval '${LEASE}', updated_at = now(),
              settles_begun = 0, next_check_at = (entry ->> 'next_check_at')::timestamptz,
              lease_id = NULL, lease_until = NULL, check_trigger = NULL
         FROM jsonb_array_elements(?) AS entry
        WHERE r.id = entry ->> 'id' AND r.lease_id = entry ->> 'lease_id' AND r.xmin::text = entry ->> 'version'
        RETURNING r.id`,
      [JSON.stringify(entries)]
    )
    return written.map(({ id }) => id)
  }

  private async writeUnlessPaid(
    id: string,
    lease: LeasedRow | undefined,
    set: Record<string, unknown>
  ): Promise<CryptoPaymentRequestRow> {
    const [row] = await this.knex<CryptoPaymentRequestRow>({ r: REQUESTS })
      .where({ id, paid_at: null, ...fence(lease) })
      .update({ ...set, updated_at: this.knex.fn.now() })
      .returning("*")
    return row ?? (await this.current(id, lease))
  }

  /** Nothing was written: PAID was recorded before, or the lease is lost. */
  private async current(id: string, lease: LeasedRow | undefined): Promise<CryptoPaymentRequestRow> {
    const row = await this.knex<CryptoPaymentRequestRow>(REQUESTS).where({ id }).first()
    if (row === undefined || (lease !== undefined && row.lease_id !== lease.lease_id)) {
      throw new LeaseLost()
    }
    return row
  }

  private async first(where: Partial<CryptoPaymentRequestRow>): Promise<CryptoPaymentRequestRow | undefined> {
    return await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .where(where)
      .whereNull("deleted_at")
      .orderBy("created_at", "desc")
      .first()
  }
}

export function columnsOf(read: PaymentRequest) {
  return {
    gateway_status: read.paymentStatusReceived,
    gateway_amount: read.amount,
    gateway_currency_symbol: read.currencySymbol,
    paid_amount: aboveZero(read.paidAmount),
    payment_currency: read.paymentCurrency,
    payment_amount: read.paymentAmount,
    receiving_amount: read.receivingAmount,
    fee_amount: read.paymentFeeAmount,
    fee_paid_by: read.feePaidBy,
    ref_id: read.refId,
  } satisfies Partial<CryptoPaymentRequestRow>
}

const RELEASED = { lease_id: null, lease_until: null, settles_begun: 0 }

async function writeOutcome(
  trx: Knex,
  current: CryptoPaymentRequestRow,
  decidedOn: CryptoPaymentRequestRow,
  outcome: Outcome
): Promise<CryptoPaymentRequestRow> {
  if (current.order_id !== null && current.cart_id !== null && outcome.orderId !== current.order_id) {
    // The announced order is gone. If `order.placed` of the new one was received already, it is sent once more.
    await trx(REQUESTS)
      .where({ cart_id: current.cart_id })
      .update({ order_announced_at: null, order_placed_sent_at: null })
  }
  const { check_requested_at: requestedAt } = current
  const isPaidMeanwhile = current.paid_at?.getTime() !== decidedOn.paid_at?.getTime()
  const byRequest = requestedAt === null ? outcome.nextCheckAt : soonerOf(requestedAt, outcome.nextCheckAt)
  const nextCheckAt = isPaidMeanwhile ? trx.fn.now() : byRequest
  const { cause, attention, attentionAmount, detail = {} } = outcome
  // Before the decision: what is closed while a settle runs is no news to whoever closed it.
  const isClosedByAdmin = current.attention_resolved_at !== null && decidedOn.attention_resolved_at !== null
  const now = { ...current, captured_at: outcome.capturedAt }
  const mayOpen = attention && (opensCase(now, attention) || (outcome.reopens && isClosedByAdmin))
  const opened = mayOpen ? attentionColumns(trx, attention) : undefined
  const isSettled = cause === "captured" && current.settled_at === null && outcome.settledAt !== null
  const settled: PendingAnnouncement = { event: "settled", event_id: `${current.id}:settled` }
  const isReminded = outcome.reminds === true && current.remind_at !== null && !isPaidMeanwhile
  const awaiting: PendingAnnouncement = {
    event: "awaiting_payment",
    event_id: `${current.id}:awaiting_payment`,
  }
  const announced = [opened?.announcement ?? [], isSettled ? settled : [], isReminded ? awaiting : []].flat()
  const set: Record<string, unknown> = {
    ...RELEASED,
    order_id: outcome.orderId,
    captured_at: outcome.capturedAt,
    settled_at: outcome.settledAt,
    other_payments: outcome.otherPayments,
    next_check_at: nextCheckAt,
    // A check that follows within a minute is as urgent as this one.
    check_trigger: trx.raw(
      "CASE WHEN CAST(? AS timestamptz) < now() + interval '1 minute' THEN check_trigger END",
      [nextCheckAt]
    ),
    ...opened?.columns,
    ...(attentionAmount === undefined ? {} : { attention_amount: attentionAmount }),
    ...(attention === undefined && isCaseOver(current, outcome) ? NO_CASE : {}),
    ...(isReminded ? { remind_at: null } : {}),
    ...addAnnouncements(trx, announced),
  }
  const isAboutLink = cause === "given_up" || cause === "link_withdrawn"
  // The payer may have opened the link again for another session: then the decision is about an old one.
  const where = { id: current.id, ...(isAboutLink ? { session_id: decidedOn.session_id } : {}) }
  const changed = cause && (await transition(trx, cause, { where, set, detail }))
  if (changed !== undefined) {
    return changed
  }
  // Somebody else has paid, closed or opened the row meanwhile: its present state is right.
  if (cause !== undefined && !isAboutLink) {
    throw new Error(`a payment request that is ${current.state} cannot be changed by ${cause}`)
  }
  return await update(trx, current.id, set)
}

async function addOutcomeActivity(
  trx: Knex,
  before: CryptoPaymentRequestRow,
  after: CryptoPaymentRequestRow,
  detail: TimelineDetail = {}
): Promise<void> {
  const { attention_reason: reason } = after
  const isOpened = after.attention_since?.getTime() !== before.attention_since?.getTime()
  const isOver = before.attention_reason !== null && reason === null
  const entries: [isNew: boolean, ActivityType, TimelineDetail][] = [
    [before.captured_at === null && after.captured_at !== null, "captured", { amount: after.amount }],
    [before.settled_at === null && after.settled_at !== null, "settled", { order_id: after.order_id }],
    [reason !== null && isOpened, "attention", { ...detail, reason }],
    [isOver, "resolved", { reason: before.attention_reason }],
  ]
  for (const [isNew, type, said] of entries) {
    if (isNew) {
      await addActivity(trx, after.id, type, said)
    }
  }
}
