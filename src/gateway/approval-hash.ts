import { createHmac, timingSafeEqual } from "node:crypto"

const HEX_SHA256 = /^[0-9a-f]{64}$/i
const MAX_NAME_IN_ERROR = 64

/**
 * The approval hash of a notification's `data`: HMAC-SHA256, keyed with the secret key, over the UTF-8 values of
 * all fields in ascending order of their names, joined without a separator, null as empty.
 *
 * Without a separator, different data can have the same hash (`ref_id: null, status: "UNPAID"` and `ref_id: "UN",
 * status: "PAID"`). The hash proves that the sender knows the key, not that the fields are what was sent: never settle
 * on a notification's content.
 *
 * @param data the notification's `data` object as received, unknown fields included
 * @returns 64 lowercase hex digits
 * @throws TypeError naming a field that is neither string nor null; or when data is no plain object or the key is empty
 * @see gateway interface, "Webhook validation"
 */
export function approvalHash(data: Record<string, unknown>, secretKey: string): string {
  if (typeof secretKey !== "string" || secretKey === "") {
    throw new TypeError("approvalHash: secretKey must be a non-empty string")
  }
  return digest(hashedText(data), secretKey)
}

/**
 * Whether `approvalHash` is genuine for `data`. Compares in constant time and tries every key of a list. Never throws.
 * Anything malformed is false: arrays, class instances and objects without a prototype, numbers, booleans or nested
 * values in `data`, a hash that is not 64 hex digits (either case), an empty key or list. Empty keys of a list are
 * skipped.
 *
 * @param data the notification's `data` object as received, before any validation
 * @param secretKey several while a key is being rotated
 * @see gateway interface, "Webhook validation"
 */
export function verifyApprovalHash(
  data: unknown,
  approvalHash: unknown,
  secretKey: string | readonly string[]
): boolean {
  if (typeof approvalHash !== "string" || !HEX_SHA256.test(approvalHash)) {
    return false
  }
  const given = Buffer.from(approvalHash, "hex")
  const keys: readonly unknown[] = Array.isArray(secretKey) ? secretKey : [secretKey]
  let text: string
  try {
    text = hashedText(data)
  } catch {
    // `data` itself may throw: its getters and proxies run here.
    return false
  }
  let genuine = false
  for (const key of keys) {
    // An empty key is a secret that everyone knows.
    if (typeof key === "string" && key !== "") {
      genuine = timingSafeEqual(Buffer.from(digest(text, key), "hex"), given) || genuine
    }
  }
  return genuine
}

// As text: for Node, a digest as a Buffer takes longer.
function digest(text: string, key: string): string {
  return createHmac("sha256", key).update(text, "utf8").digest("hex")
}

function hashedText(data: unknown): string {
  if (!isPlainObject(data)) {
    throw new TypeError("approvalHash: data must be a plain object")
  }
  let text = ""
  // Hash every received field, not a list of known ones: an added field must not break the check.
  for (const name of inOrder(Object.keys(data))) {
    const value = data[name]
    if (value !== null && typeof value !== "string") {
      // The interface says only how a string and a null are hashed. To guess how the sender prints numbers would accept
      // data that was never hashed so.
      const shown = JSON.stringify(name.slice(0, MAX_NAME_IN_ERROR))
      throw new TypeError(`approvalHash: field ${shown} must be a string or null`)
    }
    text += value ?? ""
  }
  return text
}

const SURROGATE = /[\ud800-\udfff]/

/**
 * By code point, which is the order of the UTF-8 bytes and so of senders in other languages. JavaScript sorts by UTF-16
 * code unit, which is the same order unless a name has surrogates: it puts U+1F600 before U+FB00. Then each name is
 * copied only once: anybody can send many long, similar names.
 */
function inOrder(names: string[]): string[] {
  if (!names.some((name) => SURROGATE.test(name))) {
    return names.sort()
  }
  return names
    .map((name) => ({ name, bytes: Buffer.from(name, "utf8") }))
    .sort((left, right) => Buffer.compare(left.bytes, right.bytes))
    .map(({ name }) => name)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) {
    return false
  }
  // By shape and not by identity: an object parsed in another realm has another Object.prototype.
  const prototype: unknown = Object.getPrototypeOf(value)
  return typeof prototype === "object" && prototype !== null && Object.getPrototypeOf(prototype) === null
}
