import type { ProviderWebhookPayload } from "@medusajs/framework/types"
import { parseJson, parseSignedBody, type SignedBody } from "../../gateway"

/**
 * The notification inside what core's webhook route passes on.
 *
 * @returns undefined when it is none; the raw bytes are preferred, because a form-encoded delivery garbles `data`
 */
export function readNotification(payload: ProviderWebhookPayload["payload"]): SignedBody | undefined {
  const { rawData, data } = payload
  try {
    return parseSignedBody(isRaw(rawData) ? parseJson(Buffer.from(rawData)) : data)
  } catch {
    // Not JSON or not a notification: core's route has answered already, so the error cannot be reported to the sender.
    return undefined
  }
}

/** Core types the bytes as always there; an octet-stream delivery leaves them out. */
function isRaw(rawData: unknown): rawData is string | Buffer {
  return typeof rawData === "string" || Buffer.isBuffer(rawData)
}
