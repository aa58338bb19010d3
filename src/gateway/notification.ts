import { z } from "zod"
import { toPaymentStatus, type PaymentStatus } from "./payment-request"
import { parseWire, toFields, wireObject, type Additional, type Fields } from "./wire"
import { plainDecimal } from "./plain-decimal"

// The interface says nothing about absent fields, so an absent nullable field counts as null.
const nullableText = z.string().nullish().default(null)
const nullableDecimal = plainDecimal.nullish().default(null)

const notificationShape = {
  payment_request_id: z.string().min(1),
  payment_amount: plainDecimal,
  payment_currency: z.string(),
  receiving_amount: nullableDecimal,
  paid_cryptocurrency: nullableText,
  fee_amount: nullableDecimal,
  fee_paid_by: nullableText,
  payer_email_address: z.string(),
  payer_first_name: nullableText,
  payer_last_name: nullableText,
  ref_id: nullableText,
  merchant_id: z.string(),
  merchant_name: z.string(),
  status: z.string(),
  /** The interface does not give the format: kept as received. */
  paid_at: nullableText,
  note: nullableText,
}

/** Wire form of a notification's `data`. @see gateway interface, "Notification body" */
export const notificationSchema = wireObject(notificationShape)

/** Wire form of the signed body around a notification. @see gateway interface, "Notification body" */
export const signedBodySchema = z.object({
  // As received, unknown and hostile keys included: the hash covers exactly these.
  data: z.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value)
  ),
  approval_hash: z.string(),
})

/**
 * The fields of a notification. They do not prove a payment (see `approvalHash`): read the payment request instead.
 * Here payment amount and currency are fiat; the cryptocurrency is `paidCryptocurrency`.
 *
 * @see gateway interface, "Notification body"
 */
export interface Notification extends Omit<Fields<typeof notificationShape>, "status">, Additional {
  status: PaymentStatus
  /** The status word as received. */
  statusReceived: string
}

/** A webhook body before its hash is verified. */
export interface SignedBody {
  /** Exactly as received, unknown fields included: the approval hash covers it. */
  data: Record<string, unknown>
  approvalHash: string
}

/**
 * First of three steps of a receiver: this, then `verifyApprovalHash(data, approvalHash, …)`, then
 * `parseNotificationData(data)`. Requires only an object `data` and a string `approval_hash`: a sender who is not
 * verified learns nothing about our schemas.
 *
 * @throws GatewayMalformed with `data` and/or `approval_hash` in `fields`, or `body` if it is no object
 * @see gateway interface, "Notification body"
 */
export function parseSignedBody(body: unknown): SignedBody {
  const { data, approval_hash: approvalHash } = parseWire(signedBodySchema, body, "")
  return { data, approvalHash }
}

/**
 * Types the fields of a notification whose hash has been verified. They do not prove the payment (see `approvalHash`).
 * Absent nullable fields are null, unknown fields are kept, unknown status words are `UNKNOWN`.
 *
 * @throws GatewayMalformed naming the fields, as `data.<name>`
 * @see gateway interface, "Notification body"
 */
export function parseNotificationData(data: unknown): Notification {
  const fields = toFields(parseWire(notificationSchema, data, "data"), notificationShape)
  return { ...fields, status: toPaymentStatus(fields.status), statusReceived: fields.status }
}

/** `parseSignedBody` and `parseNotificationData` in one, without verifying the hash. @throws GatewayMalformed */
export function parseNotification(body: unknown): SignedBody & { notification: Notification } {
  const signed = parseSignedBody(body)
  return { ...signed, notification: parseNotificationData(signed.data) }
}
