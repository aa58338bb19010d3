import { parseWire, toNotification } from "./mapping"
import { notificationSchema, signedBodySchema } from "./schemas"
import type { Notification } from "./types"

/** A webhook body before its hash is verified. */
export interface SignedBody {
  /** Exactly as received, unknown fields included: what the approval hash is over. */
  data: Record<string, unknown>
  approvalHash: string
}

/**
 * First of three steps of a receiver: this, then `verifyApprovalHash(data, approvalHash, …)`, then
 * `parseNotificationData(data)`. Looks only for an object `data` and a string `approval_hash`, so that nothing is
 * validated, and nothing about our schemas is revealed, before the sender is verified.
 *
 * @param body the parsed JSON body
 * @throws GatewayMalformed with `data` and/or `approval_hash` in `fields`, or `body` if it is no object
 * @see gateway interface, "Notification body"
 */
export function parseSignedBody(body: unknown): SignedBody {
  const { data, approval_hash: approvalHash } = parseWire(signedBodySchema, body, { path: "" })
  return { data, approvalHash }
}

/**
 * Types the fields of a notification whose hash has been verified. They are still not the truth about the payment:
 * see `approvalHash`. Absent nullable fields are null, unknown fields are kept, unknown status words are `UNKNOWN`.
 *
 * @param data `SignedBody.data`
 * @throws GatewayMalformed naming the fields, as `data.<name>`
 * @see gateway interface, "Notification body"
 */
export function parseNotificationData(data: unknown): Notification {
  return toNotification(parseWire(notificationSchema, data, { path: "data" }))
}

/**
 * `parseSignedBody` and `parseNotificationData` in one. It does not verify the hash.
 *
 * @param body the parsed JSON body
 * @throws GatewayMalformed naming the fields
 */
export function parseNotification(body: unknown): SignedBody & { notification: Notification } {
  const signed = parseSignedBody(body)
  return { ...signed, notification: parseNotificationData(signed.data) }
}
