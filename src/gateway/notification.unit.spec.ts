import { GatewayMalformed } from "./errors"
import { parseNotification, parseNotificationData, parseSignedBody } from "./notification"

const data = {
  payment_request_id: "pr_0002",
  payment_amount: "100.00000000000000",
  payment_currency: "USD",
  receiving_amount: "99.00000000000000",
  paid_cryptocurrency: "USDT",
  fee_amount: "1.00000000000000",
  fee_paid_by: "MERCHANT",
  payer_email_address: "buyer@example.com",
  payer_first_name: "Ada",
  payer_last_name: null,
  ref_id: "REF-9",
  merchant_id: "m-7",
  merchant_name: "Demo Shop",
  status: "PAID",
  paid_at: "2026-10-04 12:30",
  note: "payses_01",
}
const notification = {
  paymentRequestId: "pr_0002",
  paymentAmount: "100.00000000000000",
  paymentCurrency: "USD",
  receivingAmount: "99.00000000000000",
  paidCryptocurrency: "USDT",
  feeAmount: "1.00000000000000",
  feePaidBy: "MERCHANT",
  payerEmailAddress: "buyer@example.com",
  payerFirstName: "Ada",
  payerLastName: null,
  refId: "REF-9",
  merchantId: "m-7",
  merchantName: "Demo Shop",
  status: "PAID",
  statusReceived: "PAID",
  paidAt: "2026-10-04 12:30",
  note: "payses_01",
  additionalFields: {},
}

/** The fields that a call refuses. */
function refused(call: () => unknown): readonly string[] {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayMalformed)
    return (error as GatewayMalformed).fields
  }
  throw new Error("nothing was refused")
}

describe("parseSignedBody", () => {
  it("gives the data as received, the very object, however wrong its fields are", () => {
    const received = { amount: 1, nested: {} }
    expect(parseSignedBody({ data: received, approval_hash: "" }).data).toBe(received)
  })

  it("keeps a field that JSON calls __proto__ in the data", () => {
    const body: unknown = JSON.parse(
      '{"data":{"__proto__":{"status":"PAID"}},"approval_hash":"x","__proto__":{"a":1}}'
    )
    expect(Object.keys(parseSignedBody(body).data)).toEqual(["__proto__"])
  })

  it("ignores other members of the body", () => {
    expect(parseSignedBody({ data: {}, approval_hash: "x", more: 1 })).toEqual({
      data: {},
      approvalHash: "x",
    })
  })

  it.each<[string, unknown, string[]]>([
    ["null", null, ["body"]],
    ["a string", "{}", ["body"]],
    ["a list", [], ["body"]],
    ["undefined", undefined, ["body"]],
    ["no members", {}, ["data", "approval_hash"]],
    ["data as a list", { data: [], approval_hash: "x" }, ["data"]],
    ["data as text", { data: "{}", approval_hash: "x" }, ["data"]],
    ["data null", { data: null, approval_hash: "x" }, ["data"]],
    ["no hash", { data: {} }, ["approval_hash"]],
    ["a hash that is a number", { data: {}, approval_hash: 1 }, ["approval_hash"]],
    [
      "members that are inherited only",
      Object.create({ approval_hash: 1, data: 1 }),
      ["data", "approval_hash"],
    ],
  ])("refuses %s", (_what, body, fields) => {
    expect(refused(() => parseSignedBody(body))).toEqual(fields)
  })
})

describe("parseNotificationData", () => {
  it("names every field in our words", () => {
    expect(parseNotificationData(data)).toEqual(notification)
  })

  it("keeps fields the interface does not list", () => {
    expect(parseNotificationData({ ...data, chain: { id: 1 } }).additionalFields).toEqual({
      chain: { id: 1 },
    })
  })

  it.each(["paid", "EXPIRED", "PAID ", ""])("reads the status word %j as UNKNOWN and keeps it", (status) => {
    expect(parseNotificationData({ ...data, status })).toMatchObject({
      status: "UNKNOWN",
      statusReceived: status,
    })
  })

  const nullable = [
    "receiving_amount paid_cryptocurrency fee_amount fee_paid_by payer_first_name payer_last_name ref_id paid_at note",
  ].flatMap((names) => names.split(" "))

  it.each(nullable)("takes an absent %s as null", (name) => {
    const { [name]: _absent, ...rest } = data as Record<string, unknown>
    expect(parseNotificationData(rest)).toEqual(parseNotificationData({ ...data, [name]: null }))
  })

  const required = Object.keys(data).filter((name) => !nullable.includes(name))

  it.each(required)("refuses a notification without %s", (name) => {
    const { [name]: _absent, ...rest } = data as Record<string, unknown>
    expect(refused(() => parseNotificationData(rest))).toEqual([`data.${name}`])
  })

  it.each(required)("refuses a null %s", (name) => {
    expect(refused(() => parseNotificationData({ ...data, [name]: null }))).toEqual([`data.${name}`])
  })

  it.each(Object.keys(data))("refuses a number as %s", (name) => {
    expect(refused(() => parseNotificationData({ ...data, [name]: 1 }))).toEqual([`data.${name}`])
  })

  it.each([null, [], "x", undefined])("refuses %j as data", (value) => {
    expect(refused(() => parseNotificationData(value))).toEqual(["data"])
  })

  it("lends no fields to a notification through __proto__", () => {
    const { status: _status, ...rest } = data
    const hostile: unknown = JSON.parse(
      `${JSON.stringify(rest).slice(0, -1)},"__proto__":{"status":"PAID","x":1}}`
    )
    expect(refused(() => parseNotificationData(hostile))).toEqual(["data.status"])
    const complete: unknown = JSON.parse(`${JSON.stringify(data).slice(0, -1)},"__proto__":{"x":1}}`)
    const { additionalFields } = parseNotificationData(complete)
    expect("x" in additionalFields).toBe(false)
  })
})

describe("parseNotification", () => {
  it("gives data, approval hash and notification at once", () => {
    expect(parseNotification({ data, approval_hash: "abc" })).toEqual({
      data,
      approvalHash: "abc",
      notification,
    })
  })

  it("shows no received value in its error", () => {
    const body = { data: { ...data, payment_amount: "secret value", status: 7 }, approval_hash: "abc" }
    try {
      parseNotification(body)
    } catch (error) {
      expect(JSON.stringify(error) + String(error) + String((error as Error).cause)).not.toContain(
        "secret value"
      )
    }
    expect.assertions(1)
  })
})
