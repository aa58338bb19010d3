import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { toAllDecimals } from "../../../decision"
import type { PaymentRequest } from "../../../gateway"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { readSessionFacts } from "../payment-requests/session-facts"
import { addActivity, transition } from "../payment-requests/life-cycle"
import {
  CLAIM_IN_CORE,
  dueColumns,
  IS_LINKED_ORDER,
  REQUESTS,
  STALE_CREATION,
} from "../payment-requests/request-sql"
import { unlessTaken } from "../errors"
import {
  MATCH_LISTED,
  UNBOUND,
  type ListedRequest,
  type ListScope,
  type MatchedRequest,
} from "./match-listed"

type NotedRequest = Pick<MatchedRequest, "payment_request_id"> & { note: string }

/** What was done about a listed request without a row, and its row now. */
interface Taken {
  id: string | null
  finding: "adopted" | "inserted" | "creation_under_way" | "unknown_session"
}

type Belongings = Pick<
  CryptoPaymentRequestRow,
  | "provider_id"
  | "payment_collection_id"
  | "cart_id"
  | "order_id"
  | "deposit_amount"
  | "amount"
  | "currency_code"
>

const BATCH = 1000

/** Compares the rows with the gateway's own list. The list decides nothing: it only makes rows due. */
export class ListStore {
  constructor(private readonly knex: Knex) {}

  /** Whether a session, deleted or not, may have a request without an answer: no row of it has a gateway id. */
  async isAwaitingRequest(sessionId: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: unknown[] }>(
      `SELECT 1 WHERE (EXISTS (SELECT 1 FROM payment_session s WHERE s.id = :sessionId)
                    OR EXISTS (SELECT 1 FROM ${REQUESTS} r WHERE r.session_id = :sessionId AND r.deleted_at IS NULL))
         AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} r
                          WHERE r.session_ids @> ARRAY[:sessionId]::text[] AND r.payment_request_id IS NOT NULL
                            AND r.deleted_at IS NULL)`,
      { sessionId }
    )
    return rows.length > 0
  }

  /**
   * Finds the rows of one page of the list and makes due those that are PAID only in the list, in one statement. Rows
   * are locked in the order of their ids, so two runs cannot block each other.
   */
  async match(
    { account, origin, providerId }: Omit<ListScope, "origins">,
    listed: ListedRequest[]
  ): Promise<MatchedRequest[]> {
    const bindings = { account, origin, providerId, listed: JSON.stringify(listed) }
    return (await this.knex.raw<{ rows: MatchedRequest[] }>(MATCH_LISTED, bindings)).rows
  }

  /**
   * Takes over a request of ours that has no row, because the answer to its creation was lost.
   *
   * - The row of an interrupted creation gets the id.
   * - A second request of a session: the session stays the first row's, and the new row is bound to no session.
   *   Otherwise its money would count as the first row's. What is paid on it ends as a duplicate or an orphan.
   * - A session without a row gets a row.
   * - A session that Medusa does not know either, as after a restore: a paid request gets a row without a session,
   *   which pays for nothing, and settling opens a case. The next comparison looks at an unpaid request again.
   */
  async take(
    scope: ListScope,
    { incomplete_id, sibling_id, has_session, ...request }: MatchedRequest & NotedRequest,
    listed: PaymentRequest | undefined
  ): Promise<Taken> {
    if (incomplete_id !== null && (await this.adopt(scope, incomplete_id, request))) {
      return { id: incomplete_id, finding: "adopted" }
    }
    // Two requests can have the same note: then the row that waited for an answer has just got the other request's id.
    const siblingId = sibling_id ?? incomplete_id
    const ofSession = siblingId === null && has_session
    let belongings: Belongings | undefined
    if (siblingId !== null) {
      const siblings = this.knex<CryptoPaymentRequestRow>(REQUESTS).where({ id: siblingId })
      belongings = await siblings.whereNotNull("payment_request_id").first()
    } else if (ofSession) {
      belongings = await readSessionFacts(this.knex, request.note)
    } else if (listed?.paymentStatus === "PAID") {
      const nothing = { payment_collection_id: null, cart_id: null, order_id: null, deposit_amount: null }
      const asked = {
        amount: toAllDecimals(listed.amount),
        currency_code: listed.currencySymbol.toLowerCase(),
      }
      belongings = { ...nothing, ...asked, provider_id: scope.providerId }
    }
    const id = belongings && (await this.insert(scope, belongings, request, ofSession ? request.note : null))
    return siblingId === null && !has_session
      ? { id: id ?? null, finding: "unknown_session" }
      : { id: id ?? incomplete_id, finding: id === undefined ? "creation_under_way" : "inserted" }
  }

  /**
   * Gives the row of a lost creation the id that the list shows, and makes it due at the list's address. It stays
   * closed, since its link was never offered.
   *
   * @returns false when the row has got an id meanwhile, or its creation is still running
   */
  private async adopt(scope: ListScope, incompleteId: string, request: NotedRequest): Promise<boolean> {
    const { payment_request_id } = request
    for (const gateway_account of accountsFor(scope, request)) {
      const found = {
        ...dueColumns(this.knex),
        payment_request_id,
        gateway_account,
        gateway_origin: this.knex.raw("CASE WHEN provider_id = ? THEN ? ELSE gateway_origin END", [
          scope.providerId,
          scope.origin,
        ]),
      }
      const adopted = await unlessTaken(async () => ({
        row: await transition(this.knex, "found_in_list", {
          where: { id: incompleteId, payment_request_id: null },
          condition: (query) =>
            void query.whereRaw(`(state = 'closed' OR created_at < now() - interval '${STALE_CREATION}')`),
          set: found,
          detail: foundInList(payment_request_id),
        }),
      }))
      // Undefined when another payment of that account has the id.
      if (adopted !== undefined) {
        return adopted.row !== undefined
      }
    }
    return false
  }

  /**
   * Binds a row without a session to its session, once Medusa knows it: the database was restored further, or another
   * provider's comparison had added the row. A row that an admin user has dealt with stays as it is.
   *
   * @returns false when the row or the session was taken meanwhile
   */
  async bind(id: string, sessionId: string): Promise<boolean> {
    const facts = await readSessionFacts(this.knex, sessionId)
    if (facts === undefined) {
      return false
    }
    const bound = await unlessTaken(
      async () =>
        await this.knex(`${REQUESTS} as r`)
          .where({ id, paid_session_id: null, payment_collection_id: null })
          .whereNull("refund_registered_at")
          .whereNull("attention_resolved_at")
          .whereLike("session_id", `${UNBOUND}%`)
          .whereRaw(
            `NOT EXISTS (SELECT 1 FROM ${REQUESTS} k WHERE k.session_ids @> ARRAY[?]::text[] AND k.deleted_at IS NULL)`,
            [sessionId]
          )
          .update({
            ...inherited(facts),
            ...dueColumns(this.knex),
            ...announcedBefore(this.knex, facts),
            session_id: sessionId,
            session_ids: [sessionId],
            // For an unpaid row, the read that says PAID sets it.
            paid_session_id: this.knex.raw(
              `CASE WHEN r.paid_at IS NOT NULL THEN ${CLAIM_IN_CORE("ARRAY[?]::text[]")} END`,
              [sessionId]
            ),
          })
    )
    return bound === 1
  }

  /**
   * A provider's rows that the gateway had surely created before a time, ordered by id. Each batch is read when it is
   * asked for.
   */
  async *listBefore(
    { account, providerId }: Pick<ListScope, "account" | "providerId">,
    time: Date
  ): AsyncGenerator<{ id: string; payment_request_id: string }> {
    let batch: { id: string; payment_request_id: string }[] = []
    do {
      batch = await this.knex<{ id: string; payment_request_id: string }>(REQUESTS)
        .where({ provider_id: providerId, gateway_account: account })
        .whereNotNull("payment_request_id")
        .whereNull("deleted_at")
        .whereRaw(`created_at < ?::timestamptz - interval '${STALE_CREATION}'`, [time])
        .where("id", ">", batch.at(-1)?.id ?? "")
        .orderBy("id")
        .limit(BATCH)
        .select("id", "payment_request_id")
      yield* batch
    } while (batch.length === BATCH)
  }

  /**
   * A PAID request is never left without a row. If the session has a row, the new one is bound to no session; if
   * another payment of the account has the id, the new row gets an account of its own.
   *
   * @param sessionId null binds the row to no session
   */
  private async insert(
    scope: ListScope,
    belongings: Belongings,
    request: NotedRequest,
    sessionId: string | null
  ): Promise<string | undefined> {
    const { payment_request_id, note } = request
    const unbound = `${UNBOUND}${note}:${payment_request_id}`
    for (const gateway_account of accountsFor(scope, request)) {
      for (const session_id of sessionId === null ? [unbound] : [sessionId, unbound]) {
        const id = await this.insertAs({
          ...inherited(belongings),
          gateway_account,
          gateway_origin: scope.origins.get(belongings.provider_id) ?? scope.origin,
          payment_request_id,
          session_id,
          session_ids: [session_id === sessionId ? sessionId : `${UNBOUND}${note}`],
        })
        if (id !== undefined) {
          return id
        }
      }
      if (await this.hasRow(request)) {
        return undefined
      }
    }
    return undefined
  }

  /** @returns undefined when the id or the session has a row already */
  private async insertAs(row: Partial<CryptoPaymentRequestRow>): Promise<string | undefined> {
    return await this.knex.transaction(async (trx) => {
      const [inserted] = await trx<CryptoPaymentRequestRow>(REQUESTS)
        .insert({
          ...row,
          ...dueColumns(trx),
          ...announcedBefore(trx, row),
          id: generateEntityId(undefined, "cpreq"),
          state: "closed",
        })
        .onConflict()
        .ignore()
        .returning("*")
      if (inserted !== undefined) {
        await addActivity(trx, inserted.id, "created", foundInList(row.payment_request_id ?? ""))
      }
      return inserted?.id
    })
  }

  private async hasRow({ payment_request_id, note }: NotedRequest): Promise<boolean> {
    const row = await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .where({ payment_request_id })
      .whereNull("deleted_at")
      .whereRaw("session_ids && ARRAY[?, ?]::text[]", [note, `${UNBOUND}${note}`])
      .first("id")
    return row !== undefined
  }
}

/** The accounts for a listed request, in order: the first in which no other payment has its id is used. */
function accountsFor({ account }: ListScope, { note }: NotedRequest): string[] {
  return [account, `${account}#${note}`]
}

function inherited(belongings: Belongings): Belongings {
  const { provider_id, payment_collection_id, cart_id, order_id, deposit_amount, amount, currency_code } =
    belongings
  return { provider_id, payment_collection_id, cart_id, order_id, deposit_amount, amount, currency_code }
}

/** A settle of this row does not complete an existing order again: `order.placed` is not repeated. */
const announcedBefore = (knex: Knex, { order_id }: Partial<Belongings>) =>
  order_id == null
    ? {}
    : { order_announced_at: knex.raw(`CASE WHEN ${IS_LINKED_ORDER} THEN now() END`, [order_id]) }

function foundInList(paymentRequestId: string): Record<string, string> {
  return { payment_request_id: paymentRequestId, found_in: "gateway_list" }
}
