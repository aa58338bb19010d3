import { createHmac } from "node:crypto"
import fc from "fast-check"
import { notificationData, signedBody } from "../support/notification"

/** One request at the webhook, and whether it is genuine by a reading of the interface that shares no code with src. */
export interface FuzzedRequest {
  bytes: Buffer
  method: "POST" | "PUT"
  contentType: string
  /** Under the right digest, whatever it says. */
  isGenuine: boolean
  /** As the gateway sends it. */
  isUntouched: boolean
}

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "application/octet-stream",
  "multipart/form-data; boundary=x",
  "text/plain",
  "",
]

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "PAID",
    "UNPAID",
    "null",
    "__proto__",
    "constructor",
    "عائشة",
    "\u0000",
    "' OR 1=1 --",
    "../../etc"
  )
)
const anyValue = fc.oneof(anyText, fc.constant(null), fc.jsonValue({ maxDepth: 3 }))
const fieldNames = fc.oneof(fc.constantFrom(...Object.keys(notificationData("x"))), anyText)

/** Data near a notification's: fields changed, added, dropped, of a wrong kind. */
const changedData = (paymentRequestId: string): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.array(fc.tuple(fieldNames, anyValue), { maxLength: 4 }),
      fc.subarray(Object.keys(notificationData("x")))
    )
    .map(([changes, dropped]) => {
      const data: Record<string, unknown> = notificationData(paymentRequestId)
      const kept = Object.entries(data).filter(([name]) => !dropped.slice(0, 2).includes(name))
      return Object.fromEntries([...kept, ...changes])
    })

/** A text with bytes flipped, doubled or cut off. */
const damaged = (text: string): fc.Arbitrary<Buffer> =>
  fc
    .array(
      fc.tuple(fc.nat(Math.max(0, text.length - 1)), fc.nat(255), fc.constantFrom("set", "cut", "double")),
      {
        minLength: 1,
        maxLength: 4,
      }
    )
    .map((blows) => {
      let bytes = Buffer.from(text)
      for (const [at, value, kind] of blows) {
        if (kind === "cut") {
          bytes = bytes.subarray(0, at)
        } else if (kind === "double") {
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 20))])
        } else if (at < bytes.length) {
          bytes = Buffer.from(bytes)
          bytes[at] = value
        }
      }
      return bytes
    })

/** Bodies from genuine to absurd; about one in six is genuine. */
export function fuzzedRequests(paymentRequestId: string, secretKey: string): fc.Arbitrary<FuzzedRequest> {
  const genuine = signedBody(notificationData(paymentRequestId), secretKey)
  const wrongKey = signedBody(notificationData(paymentRequestId), "another-secret")
  const bodies = fc.oneof(
    fc.constant(Buffer.from(genuine)),
    fc.constant(Buffer.from(wrongKey)),
    damaged(genuine),
    changedData(paymentRequestId).map((data) =>
      Buffer.from(
        JSON.stringify({
          data,
          approval_hash: (JSON.parse(genuine) as { approval_hash: string }).approval_hash,
        })
      )
    ),
    changedData(paymentRequestId).map((data) =>
      Buffer.from(JSON.stringify({ data, approval_hash: digest(data, secretKey) ?? "0".repeat(64) }))
    ),
    fc.json().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(anyValue, anyValue)
      .map(([data, approval_hash]) => Buffer.from(JSON.stringify({ data, approval_hash }))),
    fc.nat(200_000).map((size) => Buffer.from(`{"data":${"[".repeat(size)}`))
  )
  return fc
    .record({
      bytes: bodies,
      method: fc.constantFrom("POST", "PUT"),
      contentType: fc.constantFrom(...CONTENT_TYPES),
    })
    .map((request) => ({
      ...request,
      isGenuine: isGenuine(request.bytes, secretKey),
      isUntouched: request.bytes.equals(Buffer.from(genuine)),
    }))
}

function isGenuine(bytes: Buffer, secretKey: string): boolean {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""))
  } catch {
    return false
  }
  const { data, approval_hash } = (body ?? {}) as { data?: unknown; approval_hash?: unknown }
  const expected = digest(data, secretKey)
  return (
    expected !== undefined && typeof approval_hash === "string" && approval_hash.toLowerCase() === expected
  )
}

/** @returns undefined when the values are not all strings or null, of which the interface says nothing */
function digest(data: unknown, secretKey: string): string | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return undefined
  }
  const fields = Object.entries(data)
  if (fields.some(([, value]) => typeof value !== "string" && value !== null)) {
    return undefined
  }
  const names = fields
    .map(([name]) => name)
    .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
  const text = names.map((name) => (data as Record<string, string | null>)[name] ?? "").join("")
  return createHmac("sha256", secretKey).update(text).digest("hex")
}
