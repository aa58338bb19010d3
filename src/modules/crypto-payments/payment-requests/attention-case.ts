import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import {
  isResolvedByAdmin,
  isOfBeforePayment,
  OF_UNREAD_GATEWAY,
  type AttentionReason,
  type Outcome,
} from "../../../decision"
import type { CryptoPaymentRequestRow, PendingAnnouncement } from "../models/crypto-payment-request"
import { addAnnouncements, type Announcements } from "./announcements"
import { fence, type LeasedRow } from "./leases"
import { addActivity, changeWithEntry, lockRow, update, type TimelineDetail } from "./life-cycle"
import { REQUESTS } from "./request-sql"

/**
 * Ends a case. Written by the outcome of a settle (`store.ts`), by a refund that sends everything back, and when staff
 * use the money for an order; the closing by an admin user keeps the reason.
 */
export const NO_CASE = {
  attention_reason: null,
  attention_since: null,
  attention_resolved_at: null,
  attention_note: null,
  attention_amount: null,
}

/** Why received money waits: what it would pay for may change, and the money is the same. */
const OF_WAITING_MONEY: readonly string[] = [
  "paid_without_order",
  "orphan_paid",
  "duplicate_payment",
  "paid_on_canceled",
  "amount_mismatch",
] satisfies AttentionReason[]

/**
 * Whether the reason opens a case. A gateway that cannot be read for changing reasons is one case. A case from before
 * the payment ends when the payment is read as PAID: what then prevents its capture is a new case, even for the same
 * reason. Once an admin user has closed a case of received money, which may have been sent back by hand, no other reason
 * to let it wait is reported, nor a missing provider; nor, after `settle_fails`, that it has no order. Nor, once the
 * case of a part is closed, that the gateway cannot be read: that would ask for the rest again.
 */
export function opensCase(row: CryptoPaymentRequestRow, reason: AttentionReason): boolean {
  const { attention_reason: open, captured_at } = row
  if (isResolvedByAdmin(row)) {
    const isLeft = captured_at === null && OF_WAITING_MONEY.includes(reason)
    const hasNoOrder = open === "settle_fails" && ["paid_without_order", "orphan_paid"].includes(reason)
    if (isLeft || hasNoOrder || OF_UNREAD_GATEWAY.includes(reason)) {
      return false
    }
  }
  const isPartDealtWith = open === "partly_paid" && row.attention_resolved_at !== null && row.paid_at === null
  if (isPartDealtWith && OF_UNREAD_GATEWAY.includes(reason)) {
    return false
  }
  if (open === "settle_fails") {
    return isOfBeforePayment(row) || open !== reason
  }
  if (!OF_UNREAD_GATEWAY.includes(open)) {
    return open !== reason
  }
  return isOfBeforePayment(row) || !OF_UNREAD_GATEWAY.includes(reason)
}

/** Whether an outcome without a case ends the row's case. */
export function isCaseOver(
  { attention_reason, attention_resolved_at, paid_at }: CryptoPaymentRequestRow,
  { endsCases }: Outcome
): boolean {
  return (
    endsCases === "all" ||
    (attention_reason === "settle_fails" && (attention_resolved_at === null || paid_at === null)) ||
    (endsCases !== undefined && [...OF_UNREAD_GATEWAY, "partly_paid"].includes(attention_reason)) ||
    (endsCases === "unpaid" && attention_reason === "order_not_canceled")
  )
}

export function attentionColumns(
  knex: Knex,
  reason: AttentionReason
): { columns: Record<string, unknown>; announcement: PendingAnnouncement } {
  return {
    columns: { ...NO_CASE, attention_reason: reason, attention_since: knex.raw("clock_timestamp()") },
    announcement: { event: "attention_required", event_id: generateEntityId(undefined, "cpevt"), reason },
  }
}

/** Opens cases, and closes those that a user has dealt with. A settle's outcome and a full refund end one, too. */
export class AttentionCases {
  constructor(
    private readonly knex: Knex,
    private readonly announcements: Announcements
  ) {}

  /**
   * Opens and announces a case, unless the row has one for the same reason or the lease is lost. A closed one is opened
   * again when it names an order now: whoever closed it did not know of it.
   */
  async open(
    id: string,
    reason: AttentionReason,
    detail: TimelineDetail,
    lease?: LeasedRow
  ): Promise<CryptoPaymentRequestRow | undefined> {
    const opened = await this.knex.transaction(async (trx) => {
      const before = await lockRow(trx, { id, ...fence(lease) })
      const isClosed = before?.attention_reason === reason && before.attention_resolved_at !== null
      const isNews = isClosed && detail["order_id"] !== undefined
      if (before === undefined || !(opensCase(before, reason) || isNews)) {
        return undefined
      }
      const { columns, announcement } = attentionColumns(trx, reason)
      const row = await update(trx, id, { ...columns, ...addAnnouncements(trx, [announcement]) })
      await addActivity(trx, id, "attention", { ...detail, reason })
      return row
    })
    if (opened !== undefined) {
      await this.announcements.send(opened)
    }
    return opened
  }

  /** The order that the row's last case names as the one that may be its own. */
  async findNamedOrder(id: string): Promise<string | null> {
    const entry = await this.knex("crypto_payment_activity")
      .where({ request_id: id, type: "attention", deleted_at: null })
      .orderBy("position", "desc")
      .first<{ order_id: string | null } | undefined>(this.knex.raw("detail ->> 'order_id' AS order_id"))
    return entry?.order_id ?? null
  }

  /**
   * Closes a case that an admin user has dealt with.
   *
   * @param since when the case was opened that the user has seen: another one stays open
   * @returns whether there was one
   */
  async close(
    id: string,
    { note, by, since }: { note: string; by?: string | undefined; since?: string | null | undefined }
  ): Promise<boolean> {
    const now = this.knex.fn.now()
    const resolved = this.knex(REQUESTS)
      .where({ id })
      .whereNotNull("attention_reason")
      .whereNull("attention_resolved_at")
      .whereRaw(
        // JavaScript's dates have milliseconds.
        "(?::timestamptz IS NULL OR date_trunc('milliseconds', attention_since) = ?)",
        [since ?? null, since ?? null]
      )
      .update({
        ...{ attention_resolved_at: now, attention_note: note, updated_at: now },
        denied_at: this.knex.raw(
          "CASE WHEN paid_at IS NULL AND attention_reason = ANY(?) THEN now() ELSE denied_at END",
          [OF_UNREAD_GATEWAY.map(String)]
        ),
      })
      .returning("*")
    return (await changeWithEntry(this.knex, resolved, "resolved", { note, by })) !== undefined
  }
}
