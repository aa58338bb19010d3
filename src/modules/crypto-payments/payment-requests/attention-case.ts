import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { isLeftToPerson, isOfBeforePayment, type AttentionReason } from "../../../decision"
import type { CryptoPaymentRequestRow, PendingAnnouncement } from "../models/crypto-payment-request"

/** The values of a row without a case. */
export const NO_CASE = {
  attention_reason: null,
  attention_since: null,
  attention_resolved_at: null,
  attention_note: null,
  attention_amount: null,
}

/** Whether a case is about a gateway that cannot be read: it refuses, fails, or its provider is missing. */
export function isOfUnreadGateway(reason: string | null): boolean {
  return reason === "provider_missing" || reason?.startsWith("gateway_") === true
}

/**
 * Whether the reason opens a case. A gateway that cannot be read for changing reasons is one case. A case from before
 * the payment ends when the payment is read as PAID: what then prevents its capture is a new case, even for the same
 * reason. Once an admin user has closed a case of money that could not be settled, it is not reported again as money
 * without an order; nor does a missing provider open a case of money that was dealt with.
 */
export function opensCase(
  row: Pick<
    CryptoPaymentRequestRow,
    "attention_reason" | "attention_since" | "attention_resolved_at" | "paid_at"
  >,
  reason: AttentionReason
): boolean {
  const { attention_reason: open } = row
  if (isLeftToPerson(row) && isOfUnreadGateway(reason)) {
    return false
  }
  if (open === "settle_fails") {
    const isDealtWith = isLeftToPerson(row) && (reason === "paid_without_order" || reason === "orphan_paid")
    return isOfBeforePayment(row) || (open !== reason && !isDealtWith)
  }
  if (!isOfUnreadGateway(open)) {
    return open !== reason
  }
  return isOfBeforePayment(row) || !isOfUnreadGateway(reason)
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
