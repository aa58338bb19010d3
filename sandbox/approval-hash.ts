import { createHmac } from "node:crypto"

/**
 * The digest the gateway sends with a notification: values in ascending order of their field names, concatenated
 * without a separator, null as an empty string, HMAC-SHA256, hexadecimal.
 *
 * @see gateway interface, "Webhook validation". Shares no code with the plugin on purpose: it tests the plugin.
 */
export function computeApprovalHash(data: Record<string, string | null>, secretKey: string): string {
  const joined = Object.keys(data)
    .sort()
    .map((name) => data[name] ?? "")
    .join("")
  return createHmac("sha256", secretKey).update(joined, "utf8").digest("hex")
}
