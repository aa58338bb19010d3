import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { AttentionReason } from "../../../decision"
import type { CryptoPaymentRequestRow, PendingAnnouncement } from "../models/crypto-payment-request"

/** The values of a row without a case. */
export const NO_CASE = {
  attention_reason: null,
  attention_since: null,
  attention_resolved_at: null,
  attention_note: null,
  attention_amount: null,
}

/** Whether a case is about a gateway that could not be read: it refuses, fails, or has no provider to ask it. */
export function isOfUnreadGateway(reason: string | null): boolean {
  return reason === "provider_missing" || reason?.startsWith("gateway_") === true
}

/**
 * Whether the reason opens a case. A gateway that cannot be read for changing reasons is one case. That case is over when
 * the payment is seen: what keeps the money from being captured then is a case of its own, even for the same reason.
 */
export function opensCase(
  {
    attention_reason: open,
    attention_since: since,
    paid_at,
  }: Pick<CryptoPaymentRequestRow, "attention_reason" | "attention_since" | "paid_at">,
  reason: AttentionReason
): boolean {
  if (!isOfUnreadGateway(open)) {
    return open !== reason
  }
  const isOver = paid_at !== null && (since === null || since < paid_at)
  return isOver || !isOfUnreadGateway(reason)
}

/** The columns of a new case, and the event that announces it. */
export function attentionColumns(
  knex: Knex,
  reason: AttentionReason
): { columns: Record<string, unknown>; announcement: PendingAnnouncement } {
  return {
    columns: { ...NO_CASE, attention_reason: reason, attention_since: knex.raw("clock_timestamp()") },
    announcement: { event: "attention_required", event_id: generateEntityId(undefined, "cpevt"), reason },
  }
}
