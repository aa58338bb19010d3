import { ClientUnderTest, input } from "./client-under-test.spec"
import { json, otherEnvelope, raw, readEnvelope, wirePaymentRequest } from "./fake-gateway.spec"
import type { PaymentRequest } from "./payment-request"

// Rule I9: id, amount, currency and status decide. Nothing else in a record may lose it.

const DECIDING = ["payment_request_id", "currency_symbol", "amount", "payment_status"]
const DISPLAY = Object.keys(wirePaymentRequest()).filter((name) => !DECIDING.includes(name))

const on = new ClientUnderTest()

async function read(changes: Record<string, unknown>): Promise<PaymentRequest> {
  on.gateway.script = [json(readEnvelope(wirePaymentRequest(changes)))]
  return await on.client.readPaymentRequest("pr_0001")
}

async function list(data: unknown, more: Record<string, unknown> = {}) {
  on.gateway.script = [json({ ...readEnvelope(data), ...more })]
  return await on.client.listPaymentRequests()
}

function camel(name: string): keyof PaymentRequest {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof PaymentRequest
}

describe("a display field that cannot be understood", () => {
  it.each<[string, unknown, string | null]>([
    ["ref_id", "REF\u00009", "REF9"],
    ["ref_id", "REF\ud800-\udc009", "REF-9"],
    ["ref_id", "r".repeat(20_000), "r".repeat(200)],
    ["ref_id", "😀".repeat(201), "😀".repeat(200)],
    ["ref_id", "r".repeat(200), "r".repeat(200)],
    ["ref_id", "فاطمة 😀", "فاطمة 😀"],
    ["ref_id", "", ""],
    ["ref_id", true, null],
    ["ref_id", ["REF-9"], null],
    ["ref_id", 42, "42"],
    ["payment_amount", "1E-8", "0.00000001"],
    ["payment_amount", "", null],
    ["payment_amount", "0.000001000", "0.000001000"],
    ["payment_amount", "about 3", null],
    ["payment_amount", "NaN", null],
    ["receiving_amount", 20.01, "20.01"],
    ["receiving_amount", { value: "1" }, null],
    ["payment_fee_amount", " 1", null],
    ["payment_fee_amount", "1,000.00", null],
    ["payer_email_address", null, null],
    ["payer_email_address", undefined, null],
    ["payment_link", null, null],
    ["payment_link", undefined, null],
    ["payment_link", 5, null],
    ["payer_first_name", { toString: 1 }, null],
    ["payment_link", `https://pay.example/${"x".repeat(4096)}`, null],
    ["payment_link", "https://pay.example/\u0000", null],
    ["fee_paid_by", 7, "7"],
    ["payer_first_name", 5, "5"],
    ["note", `payses_${"A".repeat(64)}`, `payses_${"A".repeat(64)}`],
    ["note", "n".repeat(5000), "n".repeat(500)],
  ])("%s %j is %j, and the PAID stays", async (name, value, expected) => {
    const paymentRequest = await read({ [name]: value })
    expect(paymentRequest).toMatchObject({
      paymentRequestId: "pr_0001",
      amount: "129.90000000000000",
      currencySymbol: "AED",
      paymentStatus: "PAID",
    })
    expect(paymentRequest[camel(name)]).toBe(expected)
  })

  it("keeps the status word apart from PAID when characters are taken out of it", async () => {
    expect(await read({ payment_status: "PA\u0000ID" })).toMatchObject({
      paymentStatus: "UNKNOWN",
      paymentStatusReceived: "PA\ufffdID",
    })
    expect(await read({ payment_status: "PAID\ud800" })).toMatchObject({
      paymentStatus: "UNKNOWN",
      paymentStatusReceived: "PAID\ufffd",
    })
    expect(await read({ payment_status: "W".repeat(1000) })).toMatchObject({
      paymentStatus: "UNKNOWN",
      paymentStatusReceived: "W".repeat(64),
    })
  })

  it("may be of a kind the interface does not list, and then hurts nobody", async () => {
    const names = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`more_${n}`, n]))
    const whole = await read({})
    expect(await read({ "\0na\ud800me": "\0text", long: "x".repeat(3000), ...names })).toEqual(whole)
  })

  it("may be a list in a list in a list, a hundred thousand deep", async () => {
    const record = JSON.stringify(readEnvelope(wirePaymentRequest({ deep: "HERE", ref_id: "HERE" })))
    const deep = "[".repeat(100_000) + "]".repeat(100_000)
    on.gateway.script = [raw(record.replaceAll('"HERE"', deep))]
    await expect(on.client.readPaymentRequest("pr_0001")).resolves.toMatchObject({
      paymentStatus: "PAID",
      refId: null,
    })
  })
})

describe("a deciding field that cannot be understood", () => {
  it.each<[string, unknown]>([
    ["amount", 129.9],
    ["amount", null],
    ["amount", ""],
    ["amount", "1E+40"],
    ["amount", "1,000.00"],
    ["amount", ".5"],
    ["amount", "5."],
    ["amount", "+1"],
    ["amount", "0x10"],
    ["amount", "NaN"],
    ["amount", " 1"],
    ["amount", "1\n"],
    ["amount", "9".repeat(41)],
    ["currency_symbol", 784],
    ["currency_symbol", "AED\0"],
    ["currency_symbol", "AED\ud800"],
    ["currency_symbol", "A".repeat(65)],
    ["payment_status", 1],
    ["payment_status", null],
    ["payment_request_id", 1],
    ["payment_request_id", ""],
  ])("leaves the record malformed: %s %j", async (name, value) => {
    await expect(read({ [name]: value })).rejects.toMatchObject({
      code: "gateway_malformed",
      fields: [`data.${name}`],
    })
  })
})

describe("the answer to a create", () => {
  it.each(DISPLAY.filter((name) => name !== "payment_link"))("does not need %s", async (name) => {
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ [name]: [] })))]
    await expect(on.client.createPaymentRequest(input)).resolves.toMatchObject({
      paymentLink: "https://pay.example/pr_0001",
    })
  })

  it.each([[null], [undefined], [7], [`https://pay.example/${"x".repeat(4096)}`]])(
    "needs its payment link whole: %j is refused",
    async (payment_link) => {
      on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link })))]
      await expect(on.client.createPaymentRequest(input)).rejects.toMatchObject({
        fields: ["data.payment_link"],
      })
    }
  )
})

describe("a page of the list", () => {
  const ours = wirePaymentRequest()

  it.each<[string, unknown, { paymentRequestId: string | null; note: string | null; fields: string[] }]>([
    [
      "without an amount",
      wirePaymentRequest({ payment_request_id: "pr_2", amount: 5 }),
      { paymentRequestId: "pr_2", note: "payses_01", fields: ["amount"] },
    ],
    [
      "without status and currency, and with a note of another kind",
      { payment_request_id: "pr_2", amount: "1.00", note: {} },
      { paymentRequestId: "pr_2", note: null, fields: ["currency_symbol", "payment_status"] },
    ],
    [
      "without an id",
      wirePaymentRequest({ payment_request_id: null }),
      { paymentRequestId: null, note: "payses_01", fields: ["payment_request_id"] },
    ],
    [
      "whose id cannot be asked for",
      wirePaymentRequest({ payment_request_id: "a/b", amount: 1 }),
      { paymentRequestId: null, note: "payses_01", fields: ["amount"] },
    ],
    ["that is null", null, { paymentRequestId: null, note: null, fields: ["record"] }],
    ["that is a text", "PAID", { paymentRequestId: null, note: null, fields: ["record"] }],
    ["that is a list", [ours], { paymentRequestId: null, note: null, fields: ["record"] }],
  ])("keeps the other records of a list with one %s", async (_, broken, unreadable) => {
    const listed = await list([broken, ours])
    expect(listed.paymentRequests).toMatchObject([{ paymentRequestId: "pr_0001", paymentStatus: "PAID" }])
    expect(listed.unreadable).toEqual([unreadable])
  })

  it("has a record whose display fields are broken among the whole ones", async () => {
    const listed = await list([wirePaymentRequest({ payer_email_address: null, ref_id: [] })])
    expect(listed).toMatchObject({ paymentRequests: [{ refId: null }], unreadable: [] })
  })

  it.each<[unknown, unknown]>([
    [undefined, { totalCount: null, pageCount: null, pageSize: null }],
    [null, { totalCount: null, pageCount: null, pageSize: null }],
    ["1 of 2", { totalCount: null, pageCount: null, pageSize: null }],
    [
      { total_count: 7, page_count: "2", page_size: -1 },
      { totalCount: 7, pageCount: null, pageSize: null },
    ],
    [
      { total_count: 1.5, page_count: null, page_size: 20 },
      { totalCount: null, pageCount: null, pageSize: 20 },
    ],
  ])("is kept with the pagination %j", async (pagination, expected) => {
    const listed = await list([ours], { pagination })
    expect(listed.paymentRequests).toHaveLength(1)
    expect(listed.pagination).toEqual(expected)
  })

  it("is malformed as a whole only when it is no list", async () => {
    await expect(list({ 0: ours })).rejects.toMatchObject({ fields: ["data"] })
  })
})
