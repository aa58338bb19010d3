import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { AttentionReason } from "../../../decision"
import type { CryptoPaymentRequestRow, PendingAnnouncement } from "../models/crypto-payment-request"

/** What a row holds without a case. */
export const NO_CASE = {
  attention_reason: null,
  attention_since: null,
  attention_resolved_at: null,
  attention_note: null,
  attention_amount: null,
}

/** Whether the reason opens a case. A gateway that fails in changing ways is one case. */
export function opensCase(
  { attention_reason: open }: CryptoPaymentRequestRow,
  reason: AttentionReason
): boolean {
  const isSameTrouble = open?.startsWith("gateway_") === true && reason.startsWith("gateway_")
  return open !== reason && !isSameTrouble
}

/** The columns of a new case, and the event that tells of it. */
export function attentionColumns(
  knex: Knex,
  reason: AttentionReason
): { columns: Record<string, unknown>; announcement: PendingAnnouncement } {
  return {
    columns: { ...NO_CASE, attention_reason: reason, attention_since: knex.raw("clock_timestamp()") },
    announcement: { event: "attention_required", event_id: generateEntityId(undefined, "cpevt"), reason },
  }
}
