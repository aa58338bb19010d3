import { z } from "zod"
import { parseWire } from "./wire"

/** Wire form of the signed body around a notification. @see gateway interface, "Notification body" */
export const signedBodySchema = z.object({
  // As received, unknown and hostile keys included: the hash covers exactly these.
  data: z.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value)
  ),
  approval_hash: z.string(),
})

/** A webhook body before its hash is verified. */
export interface SignedBody {
  /** Exactly as received, unknown fields included: the approval hash covers it. */
  data: Record<string, unknown>
  approvalHash: string
}

/**
 * First of two steps of a receiver: this, then `verifyApprovalHash(data, approvalHash, …)`. The fields do not prove a
 * payment (see `approvalHash`): take the id, and read the payment request. Requires only an object `data` and a string
 * `approval_hash`: a sender who is not verified learns nothing about our schemas.
 *
 * @throws GatewayMalformed with `data` and/or `approval_hash` in `fields`, or `body` if it is no object
 * @see gateway interface, "Notification body"
 */
export function parseSignedBody(body: unknown): SignedBody {
  const { data, approval_hash: approvalHash } = parseWire(signedBodySchema, body, "")
  return { data, approvalHash }
}
