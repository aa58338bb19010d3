import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { AttentionReason } from "../../../decision"
import type { CryptoPaymentRequestRow, RequestState } from "../models/crypto-payment-request"
import { unknownRequestError } from "../errors"
import { addActivity } from "./timeline"
import type { DueLedger } from "./queue"

const TABLE = "crypto_payment_request"
const LEASE = "2 minutes"

/** What a row holds without a case. */
const NO_CASE = {
  attention_reason: null,
  attention_since: null,
  attention_resolved_at: null,
  attention_note: null,
}

/** What a settle run found, written in one go when it ends. */
export interface SettleOutcome {
  /** Only the states settling itself reaches; undefined leaves what others may have written meanwhile. */
  state?: Extract<RequestState, "captured" | "refunded">
  order_id: string | null
  captured_at: Date | null
  settled_at: Date | null
  /** A reason to open a case for. */
  attention?: AttentionReason
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

/** Settling: who holds a row, which session its money pays, what came of it, and the cases for a person. */
export class SettlementLedger {
  constructor(
    private readonly knex: Knex,
    private readonly due: DueLedger
  ) {}

  async find(id: string): Promise<CryptoPaymentRequestRow | undefined> {
    return await this.first({ id })
  }

  /** @throws MedusaError 404 when the ledger has no such row */
  async require(id: string): Promise<CryptoPaymentRequestRow> {
    const row = await this.find(id)
    if (row === undefined) {
      throw unknownRequestError(id)
    }
    return row
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
   * Takes the row for one settle run; a dead run's lease ends by itself after two minutes.
   *
   * @returns undefined when another run holds the row; that one is told to look again when it ends
   */
  async lease(id: string): Promise<CryptoPaymentRequestRow | undefined> {
    const row = await this.takeLease(id, "true")
    if (row === undefined) {
      await this.due.requestCheck(id)
    }
    return row
  }

  /**
   * Takes the row for one settle run if it is still due: of several instances that saw it due, one settles it.
   *
   * @returns undefined when another run holds the row or has settled it; nothing is changed then
   */
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

  /** Gives the row back, as due as it is. */
  async releaseLease({ id, lease_until }: CryptoPaymentRequestRow): Promise<void> {
    await this.knex(TABLE).where({ id, lease_until }).update({ lease_until: null })
  }

  /** Gives back the row of a run that broke: it is due again then, or now if somebody asked for it meanwhile. */
  async releaseBroken({ id, lease_until }: CryptoPaymentRequestRow, retryAt: Date): Promise<void> {
    await this.knex(TABLE)
      .where({ id, lease_until })
      .update({
        lease_until: null,
        next_check_at: this.knex.raw(
          "CASE WHEN check_requested_at IS NULL THEN ?::timestamptz ELSE now() END",
          [retryAt]
        ),
      })
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

  /** Opens a case for a person, once: the same reason is not raised again. @returns whether the case is new */
  async raiseAttention(id: string, reason: AttentionReason, knex = this.knex): Promise<boolean> {
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
