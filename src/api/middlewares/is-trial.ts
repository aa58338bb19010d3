import { parseJson } from "../../gateway"

/**
 * Whether a body only tries the address, as some gateways do when it is registered: it names no payment request. What is
 * neither JSON nor plain words, such as an object that breaks off or compressed bytes, may be a damaged notification.
 */
export function isTrial(body: Buffer): boolean {
  const text = body.toString("latin1")
  return !text.includes("payment_request_id") && (isJson(body) || !/[{\0\x80-\xff]/.test(text))
}

function isJson(body: Buffer): boolean {
  try {
    parseJson(body)
    return true
  } catch {
    return false
  }
}
