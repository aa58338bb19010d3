import type { ProviderWebhookPayload } from "@medusajs/framework/types"
import { parseSignedBody, type SignedBody } from "../../gateway"

/**
 * The notification inside what core's webhook route passes on.
 *
 * @returns undefined when it is none; the raw bytes are preferred, because a form-encoded delivery garbles `data`
 */
export function readNotification(payload: ProviderWebhookPayload["payload"]): SignedBody | undefined {
  const { rawData, data } = payload
  try {
    const bytes = rawData as unknown
    const body: unknown =
      bytes === undefined || bytes === null
        ? data
        : JSON.parse(Buffer.isBuffer(bytes) ? bytes.toString("utf8") : String(bytes))
    return parseSignedBody(body)
  } catch {
    // Not JSON or not a notification: core's route has answered already, there is nobody to tell.
    return undefined
  }
}
