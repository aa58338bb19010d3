import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { addActivity } from "../payment-requests/timeline"
import { readSessionFacts } from "../payment-requests/core-facts"
import { transition } from "../payment-requests/life-cycle"
import { REQUESTS, STALE_CREATION } from "../payment-requests/request-sql"
import { matchListed, type ListedRequest, type MatchedRequest } from "./match-listed"

/** A listed request of nobody's. */
interface UnknownRequest {
  provider_id: string
  payment_request_id: string
  note: string
  amount: string
  currency_code: string
}

/** The ledger beside the gateway's own list. The list is never truth: what it says only makes a row due. */
export class ListLedger {
  constructor(private readonly knex: Knex) {}

  /** The database's clock, by which rows are dated. */
  async now(): Promise<Date> {
    const { rows } = await this.knex.raw<{ rows: [{ now: Date }] }>("SELECT now()")
    return rows[0].now
  }

  /** @see matchListed */
  async match(origin: string, providerId: string, listed: ListedRequest[]): Promise<MatchedRequest[]> {
    return await matchListed(this.knex, origin, providerId, listed)
  }

  /**
   * Gives the row of a creation whose answer was lost the id that the list shows. It stays closed, since its link was
   * never offered, and is due now.
   *
   * @returns false when the row has got an id meanwhile, or its creation is still under way
   */
  async adopt(halfId: string, paymentRequestId: string): Promise<boolean> {
    const row = await transition(this.knex, "found_in_list", {
      where: { id: halfId, payment_request_id: null },
      condition: (query) =>
        void query.whereRaw(`(state = 'closed' OR created_at < now() - interval '${STALE_CREATION}')`),
      set: { ...DUE_NOW(this.knex), payment_request_id: paymentRequestId },
      detail: found(paymentRequestId),
    })
    return row !== undefined
  }

  /**
   * Adds a row for a second payment request of a session that another row has. That session is the other row's to pay:
   * were this row bound to it too, its money would be taken for the other's. So it is bound to none, and what is paid
   * on it ends as a duplicate or an orphan.
   *
   * @returns the new row's id, or undefined when that row has no id yet or another run was faster
   */
  async insertBeside(kinId: string, note: string, paymentRequestId: string): Promise<string | undefined> {
    const kin = await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .where({ id: kinId })
      .whereNotNull("payment_request_id")
      .first()
    return kin && (await this.insert(kin, `stray:${note}`, paymentRequestId))
  }

  /** Adds a row for a session the ledger knows nothing of. @returns its id, or undefined when it is there or the session gone */
  async insertForSession(
    origin: string,
    sessionId: string,
    paymentRequestId: string
  ): Promise<string | undefined> {
    const facts = await readSessionFacts(this.knex, sessionId)
    return facts && (await this.insert({ ...facts, gateway_origin: origin }, sessionId, paymentRequestId))
  }

  /**
   * Adds a row for a request the list calls PAID whose session neither the ledger nor Medusa knows, as after a database
   * was restored. It is bound to nothing, so it can pay for nothing: settling puts it on the attention list.
   *
   * @param stray amount in major units with two decimals
   * @returns the new row's id, or undefined when another run was faster
   */
  async insertUnknown(
    origin: string,
    { provider_id, payment_request_id, note, amount, currency_code }: UnknownRequest
  ): Promise<string | undefined> {
    const belongsTo = {
      provider_id,
      gateway_origin: origin,
      payment_collection_id: null,
      cart_id: null,
      order_id: null,
      amount,
      currency_code,
    }
    return await this.insert(belongsTo, `stray:${note}`, payment_request_id)
  }

  /** A provider's rows created before `before`, in the order of their ids. @param after the last id of the batch before */
  async listAfter(
    { origin, providerId, before }: { origin: string; providerId: string; before: Date },
    after: string,
    limit: number
  ): Promise<{ id: string; payment_request_id: string }[]> {
    return await this.knex<{ id: string; payment_request_id: string }>(REQUESTS)
      .where({ provider_id: providerId, gateway_origin: origin })
      .whereNotNull("payment_request_id")
      .whereNull("deleted_at")
      .where("created_at", "<", before)
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit)
      .select("id", "payment_request_id")
  }

  private async insert(
    belongsTo: Pick<CryptoPaymentRequestRow, (typeof INHERITED)[number]>,
    sessionId: string,
    paymentRequestId: string
  ): Promise<string | undefined> {
    return await this.knex.transaction(async (trx) => {
      const [row] = await trx<CryptoPaymentRequestRow>(REQUESTS)
        .insert({
          ...Object.fromEntries(INHERITED.map((column) => [column, belongsTo[column]])),
          ...DUE_NOW(trx),
          id: generateEntityId(undefined, "cpreq"),
          payment_request_id: paymentRequestId,
          session_id: sessionId,
          session_ids: [sessionId],
          state: "closed",
        })
        .onConflict()
        .ignore()
        .returning("*")
      if (row !== undefined) {
        await addActivity(trx, row.id, "created", found(paymentRequestId))
      }
      return row?.id
    })
  }
}

const INHERITED = [
  "provider_id",
  "gateway_origin",
  "payment_collection_id",
  "cart_id",
  "order_id",
  "amount",
  "currency_code",
] as const

const DUE_NOW = (knex: Knex) => ({
  next_check_at: knex.fn.now(),
  check_requested_at: knex.fn.now(),
  updated_at: knex.fn.now(),
})

function found(paymentRequestId: string): Record<string, string> {
  return { payment_request_id: paymentRequestId, found_in: "gateway_list" }
}
