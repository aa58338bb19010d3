import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { toAllDecimals } from "../../../decision"
import { PAYMENT_REQUEST_ID_PATTERN, type FreshPage, type PaymentRequest } from "../../../gateway"
import { undefinedOnUniqueViolation } from "../errors"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { announcedBefore } from "../payment-requests/announcements"
import { changeWithEntry, transition } from "../payment-requests/life-cycle"
import { dueColumns, REQUESTS, STALE_CREATION, STRAY } from "../payment-requests/request-sql"
import { readSessionFacts } from "../payment-requests/session-facts"
import { columnsOf } from "../payment-requests/store"
import type { ListFinding, ListReportRow } from "./list-report"
import { MATCH_LISTED, sessionOfNote, type ListScope, type MatchedRequest } from "./match-listed"

type NotedRequest = Pick<MatchedRequest, "payment_request_id"> & { note: string }

/** What a row inherits from its session, or from another row of the session. */
const INHERITED = ["payment_collection_id", "cart_id", "order_id"] as const

type Belongings = Pick<CryptoPaymentRequestRow, "provider_id" | "amount" | "currency_code"> &
  Partial<Pick<CryptoPaymentRequestRow, (typeof INHERITED)[number]>>

const BATCH = 1000

/** Compares the rows with the gateway's own list. The list decides nothing: it makes rows due, and fills in figures. */
export class ListComparison {
  constructor(private readonly knex: Knex) {}

  /**
   * Compares one page of the list with the rows: what turns out to be ours or paid has a row, and is due. One statement
   * finds the rows and makes due those that are PAID only in the list. It locks rows in the order of their ids, so two
   * runs cannot block each other.
   */
  async compare(
    scope: ListScope,
    { paymentRequests, unreadable }: FreshPage
  ): Promise<{ known: number; others: number; findings: ListReportRow[] }> {
    const readable = new Map(paymentRequests.map((request) => [request.paymentRequestId, request]))
    const broken = new Map(unreadable.map(({ paymentRequestId, fields }) => [paymentRequestId, fields]))
    const listed = [...paymentRequests, ...unreadable]
      // An id that cannot be requested is not ours: the create refuses such an id.
      .filter(({ paymentRequestId }) => PAYMENT_REQUEST_ID_PATTERN.test(paymentRequestId))
      .map((record) => ({
        payment_request_id: record.paymentRequestId,
        note: sessionOfNote(record.note),
        // A broken record may be of a paid request: its row is made due, and only the read of that request decides.
        is_paid: "fields" in record || record.paymentStatus === "PAID",
        ...("fields" in record ? {} : columnsOf(record)),
      }))
    const { origin, providerId } = scope
    const { rows: matched } = await this.knex.raw<{ rows: MatchedRequest[] }>(MATCH_LISTED, {
      origin,
      providerId,
      listed: JSON.stringify(listed),
    })
    const findings: ListReportRow[] = []
    for (const request of matched) {
      const { id, payment_request_id, note, is_made_due } = request
      const record = readable.get(payment_request_id)
      const fields = broken.get(payment_request_id)
      const about = { id, payment_request_id, listed_status: record?.paymentStatus ?? null }
      if (fields !== undefined) {
        findings.push({ ...about, finding: "unreadable", fields })
      }
      if (note !== null && id === null) {
        findings.push({ ...about, ...(await this.take(scope, { ...request, note }, record)) })
      } else if (is_made_due && fields === undefined) {
        findings.push({ ...about, finding: "check_requested" })
      }
    }
    const known = matched.filter(({ id }) => id !== null).length
    const ours = matched.filter(({ id, note }) => id !== null || note !== null).length
    return { known, others: paymentRequests.length + unreadable.length - ours, findings }
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
  private async take(
    scope: ListScope,
    { incomplete_id, sibling_id, has_session, ...request }: MatchedRequest & NotedRequest,
    listed: PaymentRequest | undefined
  ): Promise<{ id: string | null; finding: ListFinding }> {
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
      belongings = {
        provider_id: scope.providerId,
        amount: toAllDecimals(listed.amount),
        currency_code: listed.currencySymbol.toLowerCase(),
      }
    }
    const id = belongings && (await this.insert(scope, belongings, request, ofSession))
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
    const adopted = await undefinedOnUniqueViolation(
      transition(this.knex, "found_in_list", {
        where: { id: incompleteId, payment_request_id: null },
        condition: `(state = 'closed' OR created_at < now() - interval '${STALE_CREATION}')`,
        set: {
          ...dueColumns(this.knex),
          payment_request_id,
          gateway_origin: this.knex.raw("CASE WHEN provider_id = ? THEN ? ELSE gateway_origin END", [
            scope.providerId,
            scope.origin,
          ]),
        },
        detail: foundInList(payment_request_id),
      })
    )
    return adopted !== undefined
  }

  /**
   * A provider's rows that the gateway had surely created before a time, ordered by id. Each batch is read when it is
   * asked for.
   */
  async *listBefore(
    { origin, providerId }: Pick<ListScope, "origin" | "providerId">,
    time: Date
  ): AsyncGenerator<{ id: string; payment_request_id: string }> {
    let batch: { id: string; payment_request_id: string }[] = []
    do {
      batch = await this.knex<{ id: string; payment_request_id: string }>(REQUESTS)
        .where({ provider_id: providerId, gateway_origin: origin })
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

  /** @returns undefined when another run has just taken the request over */
  private async insert(
    scope: ListScope,
    belongings: Belongings,
    request: NotedRequest,
    ofSession: boolean
  ): Promise<string | undefined> {
    const { payment_request_id, note } = request
    const unbound = `${STRAY}${note}`
    const inserting = this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .insert({
        ...inherited(belongings),
        ...dueColumns(this.knex),
        order_announced_at: announcedBefore(this.knex, belongings),
        id: generateEntityId(undefined, "cpreq"),
        state: "closed",
        payment_request_id,
        gateway_origin: scope.origins.get(belongings.provider_id) ?? scope.origin,
        session_id: ofSession ? note : `${unbound}:${payment_request_id}`,
        session_ids: [ofSession ? note : unbound],
      })
      .onConflict()
      .ignore()
      .returning("*")
    return (await changeWithEntry(this.knex, inserting, "created", foundInList(payment_request_id)))?.id
  }
}

function inherited({ provider_id, amount, currency_code, ...of }: Belongings): Belongings {
  const columns = INHERITED.map((column) => [column, of[column]])
  const inherits = Object.fromEntries(columns) as Partial<Belongings>
  return { provider_id, amount, currency_code, ...inherits }
}

function foundInList(paymentRequestId: string): Record<string, string> {
  return { payment_request_id: paymentRequestId, found_in: "gateway_list" }
}
