import { parseJson } from "../../gateway"

/**
 * Whether a body only tries the address, as some gateways do when it is registered: it names no payment request and has
 * no signature. Incomplete JSON or compressed bytes may be a damaged notification.
 */
export function isTrial(body: Buffer): boolean {
  const text = body.toString("latin1")
  if (text.includes("payment_request_id")) {
    return false
  }
  try {
    const { data, approval_hash: hash } = Object(parseJson(body)) as {
      data?: unknown
      approval_hash?: unknown
    }
    const isSigned = typeof hash === "string" && hash !== ""
    return !isSigned || Object.keys(Object(data) as object).length === 0
  } catch {
    return !/[{\0\x80-\xff]/.test(text)
  }
}
