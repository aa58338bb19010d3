import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { PaymentRequest } from "../../../gateway"
import type { CryptoPaymentRequestRow, RequestState } from "../models/crypto-payment-request"
import { addActivity } from "./activity"

const TABLE = "crypto_payment_request"
const LEASE = "2 minutes"
/** How often a waiting payer's page has the gateway asked, should no notification come. */
export const RETURN_CHECK_INTERVAL = "15 seconds"

/** What a row holds without a case. */
const NO_CASE = {
  attention_reason: null,
  attention_since: null,
  attention_resolved_at: null,
  attention_note: null,
}

/** A row nothing more can come of: replays of it cost no gateway read. */
const IS_TERMINAL = "(state = 'refunded' OR settled_at IS NOT NULL)"

export type Failure = "refused" | "unreadable"

/** What a settle run found, written in one go when it ends. */
export interface SettleOutcome {
  /** Only the states settling itself reaches; undefined leaves what others may have written meanwhile. */
  state?: Extract<RequestState, "captured" | "refunded">
  order_id: string | null
  captured_at: Date | null
  settled_at: Date | null
  /** A reason to open a case for. */
  attention?: string
  /** Which open cases this run has mended: all, or only those of a gateway that could not be read. */
  mends?: "all" | "gateway"
  next_check_at: Date | null
}

export interface FinishedSettle {
  row: CryptoPaymentRequestRow
  attentionIsNew: boolean
  /** Somebody asked for a check while this one ran. */
  isDueAgain: boolean
}

/** Checking and settling: due rows, leases, the claim of a session, and what the gateway said. */
export class SettlementLedger {
  constructor(private readonly knex: Knex) {}

  async find(id: string): Promise<CryptoPaymentRequestRow | undefined> {
    return await this.first({ id })
  }

  async findByPaymentRequestId(paymentRequestId: string): Promise<CryptoPaymentRequestRow[]> {
    return await this.knex<CryptoPaymentRequestRow>(TABLE)
      .where({ payment_request_id: paymentRequestId })
      .whereNull("deleted_at")
  }

  /** The request now bound to the session; a former session is never a reason to pay. */
  async findBySession(sessionId: string): Promise<CryptoPaymentRequestRow | undefined> {
    return await this.first({ session_id: sessionId })
  }

  /**
   * A genuine notification arrived: one row update.
   *
   * @returns undefined when the request is not ours; `isTerminal` when there is nothing left to settle
   */
  async recordNotification(
    providerId: string,
    paymentRequestId: string
  ): Promise<{ id: string; isTerminal: boolean } | undefined> {
    const { rows } = await this.knex.raw<{ rows: { id: string; is_terminal: boolean }[] }>(
      `UPDATE ${TABLE}
          SET last_webhook_at = now(),
              check_requested_at = now(),
              next_check_at = CASE WHEN ${IS_TERMINAL} THEN next_check_at ELSE now() END
        WHERE payment_request_id = ? AND provider_id = ? AND deleted_at IS NULL
        RETURNING id, ${IS_TERMINAL} AS is_terminal`,
      [paymentRequestId, providerId]
    )
    return rows[0] && { id: rows[0].id, isTerminal: rows[0].is_terminal }
  }

  /** Makes a row due now; whatever settles first does it. */
  async requestCheck(id: string): Promise<void> {
    await this.knex(TABLE)
      .where({ id })
      .whereRaw(`NOT ${IS_TERMINAL}`)
      .update({ check_requested_at: this.knex.fn.now(), next_check_at: this.knex.fn.now() })
  }

  /**
   * Makes an unpaid row due because its payer is back, at most once in a while, however often the page asks.
   *
   * @returns whether it was
   */
  async makeReturnedDue(id: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: unknown[] }>(
      `UPDATE ${TABLE} SET next_check_at = now(), check_requested_at = now()
        WHERE id = ? AND paid_at IS NULL AND payment_request_id IS NOT NULL
          AND COALESCE(last_checked_at, created_at) < now() - interval '${RETURN_CHECK_INTERVAL}'
          AND COALESCE(check_requested_at, created_at) < now() - interval '${RETURN_CHECK_INTERVAL}'
          AND (lease_until IS NULL OR lease_until < now())
        RETURNING id`,
      [id]
    )
    return rows.length > 0
  }

  /** Makes due the paid rows an order that has just been placed may settle, unless a run is at it. */
  async makeOrderDue(orderId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${TABLE} SET next_check_at = now()
        WHERE cart_id = (SELECT oc.cart_id FROM order_cart oc WHERE oc.order_id = ? AND oc.deleted_at IS NULL)
          AND deleted_at IS NULL AND paid_at IS NOT NULL AND NOT ${IS_TERMINAL}
          AND (lease_until IS NULL OR lease_until < now())
        RETURNING id`,
      [orderId]
    )
    return rows.map(({ id }) => id)
  }

  /** Due rows nobody is settling, oldest first. The lease is taken by the settle itself, row by row. */
  async listDue(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT id FROM ${TABLE}
        WHERE next_check_at <= now() AND (lease_until IS NULL OR lease_until < now()) AND deleted_at IS NULL
        ORDER BY next_check_at LIMIT ?`,
      [limit]
    )
    return rows.map(({ id }) => id)
  }

  /**
   * Takes the row for one settle run; a dead run's lease ends by itself after two minutes.
   *
   * @returns undefined when another run holds the row; that one is told to look again when it ends
   */
  async lease(id: string): Promise<CryptoPaymentRequestRow | undefined> {
    const row = await this.takeLease(id, "true")
    if (row === undefined) {
      await this.requestCheck(id)
    }
    return row
  }

  /** As `lease`, but only if the row is still due: of several instances that saw it due, one settles it. */
  async leaseDue(id: string): Promise<CryptoPaymentRequestRow | undefined> {
    return await this.takeLease(id, "next_check_at <= now()")
  }

  private async takeLease(id: string, condition: string): Promise<CryptoPaymentRequestRow | undefined> {
    const { rows } = await this.knex.raw<{ rows: CryptoPaymentRequestRow[] }>(
      `UPDATE ${TABLE} SET lease_until = date_trunc('milliseconds', now()) + interval '${LEASE}', check_requested_at = NULL
        WHERE id = ? AND (lease_until IS NULL OR lease_until < now()) AND ${condition} RETURNING *`,
      [id]
    )
    return rows[0]
  }

  /** Gives the row back without a finding, for a run that broke; it stays due. */
  async releaseLease({ id, lease_until }: CryptoPaymentRequestRow, nextCheckAt: Date | null): Promise<void> {
    await this.knex(TABLE)
      .where({ id, lease_until })
      .update({ lease_until: null, next_check_at: nextCheckAt })
  }

  /**
   * Binds the money to one session, for ever: the only door to `captured`.
   *
   * @returns false when the request already pays another session
   */
  async claimSession(id: string, sessionId: string): Promise<boolean> {
    const changed = await this.knex(TABLE)
      .where({ id })
      .whereNotNull("paid_at")
      // Set under the row's lock by whoever registers a refund: what was sent back pays for nothing.
      .whereNull("refund_registered_at")
      .whereNot({ state: "refunded" })
      .where((free) => free.whereNull("paid_session_id").orWhere({ paid_session_id: sessionId }))
      .update({ paid_session_id: sessionId, updated_at: new Date() })
    return changed === 1
  }

  /** Writes down what the gateway said. PAID is recorded once and nothing said later changes it. */
  async recordReading(id: string, read: PaymentRequest): Promise<CryptoPaymentRequestRow> {
    // Of a reading that is not PAID one statement is written, which needs no transaction: most of a tick are such.
    return read.paymentStatus === "PAID"
      ? await this.knex.transaction(async (trx) => await writeReading(trx, id, read))
      : await writeReading(this.knex, id, read)
  }

  /** Writes down that the gateway could not be read; `failing_since` is kept while it fails the same way. */
  async recordFailure(id: string, failure: Failure): Promise<CryptoPaymentRequestRow> {
    const { rows } = await this.knex.raw<{ rows: CryptoPaymentRequestRow[] }>(
      `UPDATE ${TABLE}
          SET failing_since = COALESCE(failing_since, now()), failure = ?, last_checked_at = now(), updated_at = now()
        WHERE id = ? RETURNING *`,
      [failure, id]
    )
    return rows[0] as CryptoPaymentRequestRow
  }

  /** Opens a case for a person, once: the same reason is not raised again. @returns whether the case is new */
  async raiseAttention(id: string, reason: string, knex = this.knex): Promise<boolean> {
    const changed = await knex(TABLE)
      .where({ id })
      .whereRaw("attention_reason IS DISTINCT FROM ?", [reason])
      .update({
        attention_reason: reason,
        attention_since: new Date(),
        attention_resolved_at: null,
        attention_note: null,
        updated_at: new Date(),
      })
    if (changed > 0) {
      await addActivity(knex, id, "attention", { reason })
    }
    return changed > 0
  }

  /**
   * Ends a settle run, in one transaction: writes its outcome and gives the row back. A run whose lease has passed to
   * another writes nothing.
   *
   * @param before the row as it was leased
   * @param decidedOn the row as the decision saw it; should PAID have been recorded since, the row is due again
   */
  async finish(
    before: CryptoPaymentRequestRow,
    decidedOn: CryptoPaymentRequestRow,
    outcome: SettleOutcome
  ): Promise<FinishedSettle> {
    const { id, lease_until } = before
    const { attention, mends, next_check_at, ...facts } = outcome
    return await this.knex.transaction(async (trx) => {
      const held = await trx<CryptoPaymentRequestRow>(TABLE).where({ id, lease_until }).forUpdate()
      const [current] = held
      if (current === undefined) {
        return { row: before, attentionIsNew: false, isDueAgain: false }
      }
      const attentionIsNew = attention !== undefined && (await this.raiseAttention(id, attention, trx))
      const isOvertaken = current.paid_at?.getTime() !== decidedOn.paid_at?.getTime()
      const isDueAgain = isOvertaken || current.check_requested_at !== null
      const isMended =
        attention === undefined &&
        (mends === "all" ||
          (mends === "gateway" && current.attention_reason?.startsWith("gateway_") === true))
      const [row] = await trx<CryptoPaymentRequestRow>(TABLE)
        .where({ id })
        .update({
          ...facts,
          next_check_at: isDueAgain ? trx.fn.now() : next_check_at,
          ...(isMended ? NO_CASE : {}),
          lease_until: null,
          updated_at: new Date(),
        })
        .returning("*")
      const after = row ?? current
      await addOutcomeActivity(trx, current, after)
      return { row: after, attentionIsNew, isDueAgain }
    })
  }

  /** Closes a case a person has dealt with. @returns whether there was one */
  async resolveAttention(id: string, note: string): Promise<boolean> {
    return await this.knex.transaction(async (trx) => {
      const changed = await trx(TABLE)
        .where({ id })
        .whereNotNull("attention_reason")
        .whereNull("attention_resolved_at")
        .update({ attention_resolved_at: new Date(), attention_note: note, updated_at: new Date() })
      if (changed > 0) {
        await addActivity(trx, id, "resolved", { note })
      }
      return changed > 0
    })
  }

  /** An order was cancelled: what was settled for it and not refunded has to be looked at again. */
  async reopenOrder(orderId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `UPDATE ${TABLE} SET settled_at = NULL, next_check_at = now()
        WHERE order_id = ? AND state = 'captured' AND settled_at IS NOT NULL AND deleted_at IS NULL RETURNING id`,
      [orderId]
    )
    return rows.map(({ id }) => id)
  }

  /** Stops watching an unpaid row. Not final: any notification, return or hit in the gateway's list checks it again. */
  async close(id: string): Promise<void> {
    const changed = await this.knex(TABLE)
      .where({ id })
      .whereIn("state", ["creating", "open", "superseded"])
      .whereNull("paid_at")
      .update({ state: "closed", updated_at: new Date() })
    if (changed > 0) {
      await addActivity(this.knex, id, "closed")
    }
  }

  private async first(where: Partial<CryptoPaymentRequestRow>): Promise<CryptoPaymentRequestRow | undefined> {
    const [row] = await this.knex<CryptoPaymentRequestRow>(TABLE)
      .where(where)
      .whereNull("deleted_at")
      .orderBy("created_at", "desc")
      .limit(1)
    return row
  }
}

async function writeReading(knex: Knex, id: string, read: PaymentRequest): Promise<CryptoPaymentRequestRow> {
  const [row] = await knex<CryptoPaymentRequestRow>(TABLE)
    .where({ id })
    .whereNull("paid_at")
    .update({
      gateway_status: read.paymentStatusReceived,
      gateway_amount: read.amount,
      gateway_currency_symbol: read.currencySymbol,
      payment_currency: read.paymentCurrency,
      payment_amount: read.paymentAmount,
      receiving_amount: read.receivingAmount,
      fee_amount: read.paymentFeeAmount,
      fee_paid_by: read.feePaidBy,
      ref_id: read.refId,
      failure: null,
      failing_since: null,
      last_checked_at: new Date(),
      updated_at: new Date(),
      ...(read.paymentStatus === "PAID"
        ? // Due soon, so that whoever learnt of the money and then died is followed by the next tick.
          {
            state: "paid" as const,
            paid_at: new Date(),
            next_check_at: knex.raw("now() + interval '1 minute'") as unknown as Date,
          }
        : {}),
    })
    .returning("*")
  if (row !== undefined && read.paymentStatus === "PAID") {
    await addActivity(knex, id, "paid", { amount: read.amount, currency_symbol: read.currencySymbol })
  }
  return (row ?? (await knex(TABLE).where({ id }).first())) as CryptoPaymentRequestRow
}

async function addOutcomeActivity(
  knex: Knex,
  before: CryptoPaymentRequestRow,
  after: CryptoPaymentRequestRow
): Promise<void> {
  if (before.captured_at === null && after.captured_at !== null) {
    await addActivity(knex, after.id, "captured", { amount: after.amount })
  }
  if (before.settled_at === null && after.settled_at !== null) {
    await addActivity(knex, after.id, "settled", { order_id: after.order_id })
  }
  if (before.attention_reason !== null && after.attention_reason === null) {
    await addActivity(knex, after.id, "resolved", { reason: before.attention_reason })
  }
}
