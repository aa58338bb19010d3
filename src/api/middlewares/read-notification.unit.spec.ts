import { gzipSync } from "node:zlib"
import { isTrial } from "./read-notification"

it.each([
  ...["", " ", "{}", "[]", "null", "true", "1", '"ping"', "ping", "test=1", "<test/>", '\ufeff{"test":true}'],
  ...['{"data":{}}', '{"data":null}', '{"approval_hash":""}'],
  ...['{"data":{},"approval_hash":""}', '[{"data":{}}]', '{"event":"webhook.test","merchant":"عائشة"}'],
])("%j only tries the address", (body) => {
  expect(isTrial(Buffer.from(body))).toBe(true)
})

const NOTIFICATION = '{"data":{"payment_request_id":"pr_1","status":"PAID"},"approval_hash":"00"}'

it.each([
  ["a notification", NOTIFICATION],
  ["one without its approval hash", '{"data":{"payment_request_id":"pr_1"}}'],
  ["one whose id is a number", '{"data":{"payment_request_id":1},"approval_hash":"00"}'],
  ["one whose id is null", '{"data":{"payment_request_id":null},"approval_hash":"00"}'],
  ["one that names it otherwise", '{"data":{"payment_id":"pr_1","status":"PAID"},"approval_hash":"00"}'],
  ["one that writes it otherwise", '{"data":{"payment_request\\u005fid":"pr_1"},"approval_hash":"00"}'],
  ["one in a list", `[${NOTIFICATION}]`],
  ["one as a text", JSON.stringify(NOTIFICATION)],
  ["one as a form", "payment_request_id=pr_1&status=PAID"],
  ["one that is cut off", NOTIFICATION.slice(0, -20)],
  ["one that is cut off before its id", NOTIFICATION.slice(0, 10)],
  ["one that is compressed and does not say so", gzipSync(NOTIFICATION)],
  ["one in UTF-16", Buffer.from(NOTIFICATION, "utf16le")],
  ["one in UTF-16, cut off in front", Buffer.from(NOTIFICATION, "utf16le").subarray(4)],
])("%s may be one that was damaged", (_, body) => {
  expect(isTrial(Buffer.from(body as string))).toBe(false)
})
