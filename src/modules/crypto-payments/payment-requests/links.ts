import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { PaymentRequest } from "../../../gateway"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { addActivity } from "./timeline"

const TABLE = "crypto_payment_request"
/** A create that has not ended after this is not going to: core holds the session's request open for less. */
const STALE_CREATION = "60 seconds"

/** Whom a link belongs to and what it asks. Two requests with the same key share one open link. */
export interface LinkKey {
  provider_id: string
  gateway_origin: string
  gateway_account: string
  payment_collection_id: string
  amount: string
  currency_code: string
  /** Null when open links are not reused; then nothing is shared. */
  payer_digest: string | null
}

export interface NewLink extends LinkKey {
  session_id: string
  cart_id: string | null
  order_id: string | null
}

/** Issuing links: which session a payment request is bound to, and when it stops being offered. */
export class LinkLedger {
  constructor(private readonly knex: Knex) {}

  /** @returns the new row, or undefined when another call holds the open link of the same key */
  async insertCreating(link: NewLink): Promise<CryptoPaymentRequestRow | undefined> {
    const [row] = await this.knex<CryptoPaymentRequestRow>(TABLE)
      .insert({
        ...link,
        id: generateEntityId(undefined, "cpreq"),
        session_ids: [link.session_id],
        state: "creating",
      })
      .onConflict()
      .ignore()
      .returning("*")
    return row
  }

  /** The payer gets the link: fills in what the gateway answered. */
  async open(
    id: string,
    created: PaymentRequest,
    nextCheckAt: Date | null
  ): Promise<CryptoPaymentRequestRow> {
    return await this.knex.transaction(async (trx) => {
      const [row] = await trx<CryptoPaymentRequestRow>(TABLE)
        .where({ id, state: "creating" })
        .update({
          state: "open",
          payment_request_id: created.paymentRequestId,
          payment_link: created.paymentLink,
          gateway_status: created.paymentStatusReceived,
          next_check_at: nextCheckAt,
          updated_at: new Date(),
        })
        .returning("*")
      if (row === undefined) {
        throw new Error(`ledger row ${id} disappeared while its link was created`)
      }
      await addActivity(trx, id, "created", { payment_request_id: created.paymentRequestId })
      return row
    })
  }

  /** The request certainly never left: no half-made row stays. A refusal leaves one, should it exist all the same. */
  async forget(id: string): Promise<void> {
    await this.knex(TABLE).where({ id, state: "creating" }).delete()
  }

  /** The outcome of the create is unknown, or its answer is unusable: never offered, still watched if it has an id. */
  async giveUpCreating(id: string, created?: PaymentRequest): Promise<void> {
    const changed = await this.knex(TABLE)
      .where({ id, state: "creating" })
      .update({
        state: "closed",
        ...(created === undefined
          ? {}
          : { payment_request_id: created.paymentRequestId, next_check_at: new Date() }),
        updated_at: new Date(),
      })
    if (changed > 0) {
      await addActivity(this.knex, id, "closed", { reason: "creation_failed" })
    }
  }

  /**
   * The request of the same key that may be offered again: the open one, one being created at this moment, or the
   * newest one whose session has just been deleted (core deletes the old session beside creating the new one).
   */
  async findReusable(key: LinkKey): Promise<CryptoPaymentRequestRow | undefined> {
    await this.knex(TABLE)
      .where({ ...key, state: "creating" })
      .whereNull("deleted_at")
      .whereRaw(`created_at < now() - interval '${STALE_CREATION}'`)
      .update({ state: "closed", updated_at: new Date() })
    const [row] = await this.knex<CryptoPaymentRequestRow>(TABLE)
      .where(key)
      .whereNull("paid_at")
      .whereNull("deleted_at")
      .where((either) =>
        either
          .whereIn("state", ["creating", "open"])
          .orWhere((superseded) =>
            superseded.where({ state: "superseded" }).whereNotNull("payment_request_id")
          )
      )
      .orderByRaw("CASE state WHEN 'open' THEN 0 WHEN 'creating' THEN 1 ELSE 2 END, created_at DESC")
      .limit(1)
    return row
  }

  /** The link the payer of a collection has, or one that was paid and is not settled yet. */
  async findOffered(collectionId: string): Promise<CryptoPaymentRequestRow | undefined> {
    const [row] = await this.knex<CryptoPaymentRequestRow>(TABLE)
      .where({ payment_collection_id: collectionId })
      .whereIn("state", ["open", "paid"])
      .whereNull("deleted_at")
      .whereExists(this.knex("payment_session").whereRaw(`payment_session.id = ${TABLE}.session_id`))
      .orderBy("created_at", "desc")
      .limit(1)
    return row
  }

  /**
   * Binds money that came for a session core has deleted to the payer's new session of the same key, so that it pays
   * for what it was meant for instead of being asked for twice. Not what a person has dealt with or sent back.
   */
  async adoptPaid(key: LinkKey, sessionId: string): Promise<CryptoPaymentRequestRow | undefined> {
    const [row] = await this.knex<CryptoPaymentRequestRow>(TABLE)
      .where({ ...key, state: "paid" })
      .whereNull("paid_session_id")
      .whereNull("refund_registered_at")
      .whereNull("attention_resolved_at")
      .whereNull("deleted_at")
      .whereNotExists(this.knex("payment_session").whereRaw(`payment_session.id = ${TABLE}.session_id`))
      .update({
        session_id: sessionId,
        session_ids: this.knex.raw("array_append(session_ids, ?)", [sessionId]) as unknown as string[],
        updated_at: new Date(),
      })
      .returning("*")
    if (row !== undefined) {
      await addActivity(this.knex, row.id, "reused", { session_id: sessionId })
    }
    return row
  }

  /** Binds a link to a new session. @returns undefined when it was paid or taken out of reuse in the meantime */
  async bind(id: string, sessionId: string): Promise<CryptoPaymentRequestRow | undefined> {
    const [row] = await this.knex<CryptoPaymentRequestRow>(TABLE)
      .where({ id })
      .whereIn("state", ["open", "superseded"])
      .whereNull("paid_at")
      .whereNull("paid_session_id")
      .update({
        state: "open",
        session_id: sessionId,
        session_ids: this.knex.raw("array_append(array_remove(session_ids, ?), ?)", [
          sessionId,
          sessionId,
        ]) as unknown as string[],
        // It may be paid from now on, however slowly it was watched while nobody had it open.
        next_check_at: this.knex.raw("LEAST(next_check_at, now() + interval '1 minute')") as unknown as Date,
        updated_at: new Date(),
      })
      .returning("*")
    if (row !== undefined) {
      await addActivity(this.knex, id, "reused", { session_id: sessionId })
    }
    return row
  }

  /** Stops offering a link, unless it was bound to another session meanwhile. It is still watched: it stays payable. */
  async supersede(id: string, sessionId: string): Promise<void> {
    const changed = await this.knex(TABLE)
      .where({ id, session_id: sessionId })
      .whereIn("state", ["creating", "open"])
      .update({ state: "superseded", updated_at: new Date() })
    if (changed > 0) {
      await addActivity(this.knex, id, "superseded", { session_id: sessionId })
    }
  }
}
