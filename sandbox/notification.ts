import { computeApprovalHash } from "./approval-hash"
import type { Payment } from "./payment"
import type { SandboxState } from "./state"

/** The interface's notification fields. payment_amount and payment_currency are fiat here. */
export type NotificationData = Record<string, string | null>

/**
 * - `none`: genuine.
 * - `hash`: the digest has one digit changed.
 * - `boundary`: a genuine UNPAID body rewritten to PAID by moving a field boundary; the digest stays right.
 * - `missing`: no approval_hash at all.
 */
export const TAMPERS = ["none", "hash", "boundary", "missing"] as const
export type Tamper = (typeof TAMPERS)[number]

/** The data object for a status. Every status except PAID is reported as before the payment. */
export function notificationData(payment: Payment, status: string, state: SandboxState): NotificationData {
  const paid = status === "PAID" ? payment.paid : null
  return {
    payment_request_id: payment.id,
    payment_amount: payment.amount,
    payment_currency: payment.currencySymbol,
    receiving_amount: paid?.receivingAmount ?? null,
    paid_cryptocurrency: paid?.coin ?? null,
    fee_amount: paid?.feeAmount ?? null,
    fee_paid_by: paid?.feePaidBy ?? null,
    payer_email_address: payment.payerEmailAddress,
    payer_first_name: payment.payerFirstName,
    payer_last_name: payment.payerLastName,
    ref_id: paid?.refId ?? null,
    merchant_id: state.merchantId,
    merchant_name: state.merchantName,
    status,
    paid_at: paid?.at ?? null,
    note: payment.note,
  }
}

export function notificationBody(data: NotificationData, secretKey: string, tamper: Tamper): string {
  const approval_hash = computeApprovalHash(data, secretKey)
  const bodies: Record<Tamper, object> = {
    none: { data, approval_hash },
    hash: { data, approval_hash: approval_hash.slice(0, -1) + (approval_hash.endsWith("0") ? "1" : "0") },
    // ref_id and status are neighbours in the hashed string: "" + "UNPAID" and "UN" + "PAID" read the same.
    boundary: { data: { ...data, ref_id: "UN", status: "PAID" }, approval_hash },
    missing: { data },
  }
  return JSON.stringify(bodies[tamper])
}
