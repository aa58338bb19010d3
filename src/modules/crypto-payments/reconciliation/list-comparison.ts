import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { toAllDecimals } from "../../../decision"
import {
  isUnknownWord,
  PAYMENT_REQUEST_ID_PATTERN,
  type FreshPage,
  type PaymentRequest,
} from "../../../gateway"
import { undefinedOnUniqueViolation } from "../errors"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { changeWithEntry, transition } from "../payment-requests/life-cycle"
import { dueColumns, REQUESTS, STALE_CREATION, STRAY } from "../payment-requests/request-sql"
import { columnsOf } from "../payment-requests/store"
import type { ListReportRow } from "./list-report"
import { MATCH_LISTED, sessionOfNote, type ListScope, type MatchedRequest } from "./match-listed"

type NotedRequest = Pick<MatchedRequest, "payment_request_id"> & { note: string }

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
        // A broken record, or a word that the interface does not have, may be of a paid request: its row is made due,
        // and only the read of that request decides.
        is_paid: "fields" in record || record.paymentStatus === "PAID",
        ...("fields" in record
          ? {}
          : { ...columnsOf(record), has_unknown_word: isUnknownWord(record.paymentStatusReceived) }),
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
        const found = { ...request, note }
        const taken =
          request.incomplete_id === null
            ? { id: await this.insert(scope, found, record), finding: "unknown_session" as const }
            : await this.adopt(scope, request.incomplete_id, found, record)
        findings.push({ ...about, ...taken })
      } else if (is_made_due && record?.paymentStatus === "PAID") {
        findings.push({ ...about, finding: "check_requested" })
      }
    }
    const known = matched.filter(({ id }) => id !== null).length
    const ours = matched.filter(({ id, note }) => id !== null || note !== null).length
    return { known, others: paymentRequests.length + unreadable.length - ours, findings }
  }

  /**
   * Gives the row of a lost creation the id that the list shows, and makes it due at the list's address. It stays
   * closed, since its link was never offered. A row that has got an id meanwhile, or whose creation is still running,
   * is left alone.
   */
  private async adopt(
    scope: ListScope,
    incompleteId: string,
    request: NotedRequest,
    listed: PaymentRequest | undefined
  ): Promise<Pick<ListReportRow, "id" | "finding">> {
    const { payment_request_id } = request
    const adopted = await undefinedOnUniqueViolation(
      transition(this.knex, "found_in_list", {
        where: { id: incompleteId, payment_request_id: null },
        condition: `(state = 'closed' OR created_at < now() - interval '${STALE_CREATION}')`,
        set: {
          ...dueColumns(this.knex),
          ...(listed?.paymentStatus === "PAID" ? this.reportedPaid() : {}),
          payment_request_id,
          gateway_origin: this.knex.raw("CASE WHEN provider_id = ? THEN ? ELSE gateway_origin END", [
            scope.providerId,
            scope.origin,
          ]),
        },
        detail: foundInList(payment_request_id),
      })
    )
    return { id: incompleteId, finding: adopted === undefined ? "creation_under_way" : "adopted" }
  }

  /**
   * A provider's rows that the gateway had surely created before a time, ordered by id. Each batch is read when it is
   * asked for.
   */
  async *listBefore(
    { origin, providerId }: ListScope,
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

  /**
   * A paid request whose note names a session without a row, as after a restore or of another store on the same
   * account. It gets a row without a session, which pays for nothing, and settling opens a case. The next comparison
   * looks at an unpaid one again: nobody has got its link.
   *
   * @returns null when it is not paid, or another run has just taken it over
   */
  private async insert(
    { providerId, origin }: ListScope,
    { payment_request_id, note }: NotedRequest,
    listed: PaymentRequest | undefined
  ): Promise<string | null> {
    if (listed?.paymentStatus !== "PAID") {
      return null
    }
    const inserting = this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .insert({
        ...dueColumns(this.knex),
        ...this.reportedPaid(),
        id: generateEntityId(undefined, "cpreq"),
        state: "closed",
        provider_id: providerId,
        gateway_origin: origin,
        payment_request_id,
        amount: toAllDecimals(listed.amount),
        currency_code: listed.currencySymbol.toLowerCase(),
        session_id: `${STRAY}${note}:${payment_request_id}`,
        session_ids: [`${STRAY}${note}`],
      })
      .onConflict()
      .ignore()
      .returning("*")
    return (
      (await changeWithEntry(this.knex, inserting, "created", foundInList(payment_request_id)))?.id ?? null
    )
  }

  /** If the reads deny for an hour what the list says, that is a case. */
  private reportedPaid() {
    return { is_reported_paid: true, is_listed_paid: true, notified_at: this.knex.fn.now() }
  }
}

function foundInList(paymentRequestId: string): Record<string, string> {
  return { payment_request_id: paymentRequestId, found_in: "gateway_list" }
}
