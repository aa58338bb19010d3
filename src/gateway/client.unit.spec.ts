import { GatewayClient } from "./client"
import type { GatewayClientOptions } from "./client"
import { GatewayMalformed } from "./errors/gateway-malformed"
import { FakeGateway, json, otherEnvelope, readEnvelope, wirePaymentRequest } from "./fake-gateway.spec"
import type { CreatePaymentRequestInput } from "./types"

const paymentRequest = {
  paymentRequestId: "pr_0001",
  paymentLink: "https://pay.example/pr_0001",
  currencySymbol: "AED",
  amount: "129.90000000000000",
  note: "payses_01",
  payerEmailAddress: "buyer@example.com",
  payerFirstName: "Ada",
  payerLastName: null,
  paymentCurrency: "USDT",
  paymentAmount: "35.37000000000000",
  receivingAmount: "127.40000000000000",
  feePaidBy: "MERCHANT",
  paymentFeeAmount: "2.50000000000000",
  paidAmount: null,
  refId: "REF-9",
  paymentStatus: "PAID",
  paymentStatusReceived: "PAID",
  additionalFields: {},
  ignoredFields: [],
}

const input: CreatePaymentRequestInput = {
  currencySymbol: "AED",
  amount: "129.90",
  successUrl: "https://shop.example/return?session_id=payses_01",
  failedUrl: "https://shop.example/failed",
  payerEmailAddress: "buyer@example.com",
}

const balance = { asset: "AED", value: "10.00000000000000", locked: "0.00000000000000" }

let gateway: FakeGateway
let client: GatewayClient

async function replaceClient(options: Partial<GatewayClientOptions>): Promise<void> {
  await client.close()
  client = new GatewayClient({ baseUrl: gateway.baseUrl, ...options })
}

beforeEach(async () => {
  gateway = new FakeGateway()
  await gateway.start()
  client = new GatewayClient({ baseUrl: gateway.baseUrl })
})

afterEach(async () => {
  await client.close()
  await gateway.stop()
})

describe("listPaymentRequests", () => {
  it("reads GET {baseUrl}/api/payments without a page unless asked", async () => {
    gateway.script = [json(readEnvelope([wirePaymentRequest()]))]
    await expect(client.listPaymentRequests()).resolves.toEqual({
      paymentRequests: [paymentRequest],
      unreadable: [],
      pagination: { totalCount: 1, pageCount: 1, pageSize: 20 },
    })
    expect(gateway.received).toMatchObject([{ method: "GET", url: "/api/v1/api/payments", body: "" }])
  })

  it.each([1, 3])("asks for the page given: %d", async (page) => {
    gateway.script = [json(readEnvelope([]))]
    await client.listPaymentRequests({ page })
    expect(gateway.received).toMatchObject([{ url: `/api/v1/api/payments?page=${page}` }])
  })

  it("reads a page of 6000 records", async () => {
    const records = Array.from({ length: 6000 }, (_, index) =>
      wirePaymentRequest({ payment_request_id: `pr_${String(index)}`, note: "x".repeat(500) })
    )
    gateway.script = [json(readEnvelope(records))]
    const { paymentRequests, unreadable } = await client.listPaymentRequests()
    expect([paymentRequests.length, unreadable.length]).toEqual([6000, 0])
    expect(paymentRequests.at(-1)?.paymentRequestId).toBe("pr_5999")
  })

  it("calls a page over 16 MB malformed", async () => {
    gateway.script = [json(readEnvelope([wirePaymentRequest({ pad: "x".repeat(16 * 1024 * 1024) })]))]
    await expect(client.listPaymentRequests()).rejects.toMatchObject({ fields: ["body"] })
  })

  it.each([0, -1, 1.5, NaN, Infinity, "2&x=1" as unknown as number])(
    "refuses page %p unsent",
    async (page) => {
      await expect(client.listPaymentRequests({ page })).rejects.toThrow(TypeError)
      expect(gateway.received).toEqual([])
    }
  )

  it("names the record and field that is wrong, and keeps the other", async () => {
    gateway.script = [json(readEnvelope([wirePaymentRequest(), wirePaymentRequest({ amount: 1 })]))]
    await expect(client.listPaymentRequests()).resolves.toMatchObject({
      paymentRequests: [paymentRequest],
      unreadable: [{ paymentRequestId: "pr_0001", fields: ["amount"] }],
    })
  })

  it.each([
    [{ total_count: "1" }, { totalCount: null, pageCount: 1, pageSize: 20 }],
    [{ page_count: null }, { totalCount: 1, pageCount: null, pageSize: 20 }],
    [{ page_size: -1 }, { totalCount: 1, pageCount: 1, pageSize: null }],
    [{ total_count: 1.5 }, { totalCount: null, pageCount: 1, pageSize: 20 }],
  ])("takes what is wrong in the pagination %p as unknown", async (change, pagination) => {
    gateway.script = [
      json({ ...readEnvelope([]), pagination: { total_count: 1, page_count: 1, page_size: 20, ...change } }),
    ]
    await expect(client.listPaymentRequests()).resolves.toMatchObject({ pagination })
  })

  it("takes a list without pagination", async () => {
    gateway.script = [json({ data: [], message: "ok", successful: true })]
    await expect(client.listPaymentRequests()).resolves.toEqual({
      paymentRequests: [],
      unreadable: [],
      pagination: { totalCount: null, pageCount: null, pageSize: null },
    })
  })

  it("refuses an object where the list should be", async () => {
    gateway.script = [json(readEnvelope(wirePaymentRequest()))]
    await expect(client.listPaymentRequests()).rejects.toMatchObject({ fields: ["data"] })
  })
})

describe("readPaymentRequest", () => {
  it("reads GET {baseUrl}/api/payments/{id}", async () => {
    gateway.script = [json(readEnvelope(wirePaymentRequest()))]
    await expect(client.readPaymentRequest("pr_0001")).resolves.toEqual(paymentRequest)
    expect(gateway.received).toMatchObject([{ method: "GET", url: "/api/v1/api/payments/pr_0001" }])
  })

  it("asks caches for the gateway's own answer", async () => {
    gateway.script = [json(readEnvelope(wirePaymentRequest()))]
    await client.readPaymentRequest("pr_0001")
    expect(gateway.received[0]?.headers).toMatchObject({
      accept: "application/json",
      "cache-control": "no-cache",
    })
  })

  it("refuses an answer about another payment request", async () => {
    gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_request_id: "pr_0002" })))]
    const read = client.readPaymentRequest("pr_0001")
    await expect(read).rejects.toBeInstanceOf(GatewayMalformed)
    await expect(read).rejects.toMatchObject({ fields: ["data.payment_request_id"] })
  })

  it.each([
    "",
    ".",
    "..",
    "a/b",
    "a%2fb",
    "a b",
    "a?b",
    "a\n",
    "é",
    "x".repeat(129),
    null as unknown as string,
  ])("refuses the id %j unsent and does not show it", async (id) => {
    await expect(client.readPaymentRequest(id)).rejects.toThrow(
      "paymentRequestId must match /^(?!\\.{1,2}$)[\\w.~:@+=-]{1,128}$/"
    )
    expect(gateway.received).toEqual([])
  })

  it.each([
    ["pr_1.2", "pr_1.2"],
    ["...", "..."],
    ["2026:11-22~a", "2026%3A11-22~a"],
    ["a+b==", "a%2Bb%3D%3D"],
    ["shop@1", "shop%401"],
  ])("reads the id %s at .../%s", async (id, segment) => {
    gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_request_id: id })))]
    await expect(client.readPaymentRequest(id)).resolves.toMatchObject({ paymentRequestId: id })
    expect(gateway.received).toMatchObject([{ url: `/api/v1/api/payments/${segment}` }])
  })

  it.each(["http://evil.example/", "javascript:alert(1)", ""])(
    "shows a PAID even when its payment link is %j",
    async (link) => {
      gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_link: link })))]
      await expect(client.readPaymentRequest("pr_0001")).resolves.toMatchObject({
        paymentStatus: "PAID",
        paymentLink: link,
      })
    }
  )

  it.each(["PAID", "UNPAID", "PENDING"])("knows the status %s", async (status) => {
    gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_status: status })))]
    await expect(client.readPaymentRequest("pr_0001")).resolves.toMatchObject({
      paymentStatus: status,
      paymentStatusReceived: status,
    })
  })

  it.each(["paid", "PAID ", "REFUNDED", "__proto__", ""])(
    "takes the status %j as UNKNOWN, kept",
    async (status) => {
      gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_status: status })))]
      await expect(client.readPaymentRequest("pr_0001")).resolves.toMatchObject({
        paymentStatus: "UNKNOWN",
        paymentStatusReceived: status,
      })
    }
  )

  it("keeps fields the interface does not list", async () => {
    gateway.script = [json(readEnvelope(wirePaymentRequest({ network: { id: 1 } })))]
    const { additionalFields } = await client.readPaymentRequest("pr_0001")
    expect(additionalFields).toEqual({ network: { id: 1 } })
  })

  it("needs neither message nor pagination", async () => {
    gateway.script = [json({ data: wirePaymentRequest(), successful: true })]
    await expect(client.readPaymentRequest("pr_0001")).resolves.toEqual(paymentRequest)
  })

  const nullable = Object.keys(wirePaymentRequest()).filter(
    (name) => !/^(payment_request_id|currency_symbol|amount|payment_status)$/.test(name)
  )

  it.each(nullable)("takes an absent %s as null", async (name) => {
    const { [name]: _absent, ...rest } = wirePaymentRequest()
    gateway.script = [json(readEnvelope(rest)), json(readEnvelope({ ...rest, [name]: null }))]
    const absent = await client.readPaymentRequest("pr_0001")
    expect(absent).toEqual(await client.readPaymentRequest("pr_0001"))
  })

  const required = Object.keys(wirePaymentRequest()).filter((name) => !nullable.includes(name))

  it.each(required)("refuses an answer without %s", async (name) => {
    const { [name]: _absent, ...rest } = wirePaymentRequest()
    gateway.script = [json(readEnvelope(rest))]
    await expect(client.readPaymentRequest("pr_0001")).rejects.toMatchObject({ fields: [`data.${name}`] })
  })

  it.each(required)("refuses a number as %s", async (name) => {
    gateway.script = [json(readEnvelope(wirePaymentRequest({ [name]: 1 })))]
    await expect(client.readPaymentRequest("pr_0001")).rejects.toMatchObject({ fields: [`data.${name}`] })
  })

  it.each([
    "",
    "1e",
    "1e41",
    "1e100",
    "1,000.00",
    ".5",
    "5.",
    "+1",
    "0x10",
    "NaN",
    " 1",
    "1\n",
    "9".repeat(41),
  ])("refuses %j as an amount", async (amount) => {
    gateway.script = [json(readEnvelope(wirePaymentRequest({ amount })))]
    await expect(client.readPaymentRequest("pr_0001")).rejects.toMatchObject({ fields: ["data.amount"] })
  })
})

describe("createPaymentRequest", () => {
  it("posts the interface's fields, absent optional ones absent, and accepts the PENDING answer", async () => {
    gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_status: "PENDING" })))]
    await expect(client.createPaymentRequest(input)).resolves.toMatchObject({ paymentStatus: "PENDING" })
    expect(gateway.received).toMatchObject([{ method: "POST", url: "/api/v1/api/payments" }])
    expect(gateway.received[0]?.headers).toMatchObject({
      accept: "application/json",
      "content-type": "application/json",
    })
    expect(JSON.parse(gateway.received[0]?.body ?? "")).toEqual({
      symbol: "AED",
      amount: "129.90",
      ipn_success_url: input.successUrl,
      ipn_failed_url: input.failedUrl,
      payer_email_address: "buyer@example.com",
    })
  })

  it("posts names and note, in UTF-8, null as null", async () => {
    gateway.script = [json(otherEnvelope(wirePaymentRequest()))]
    await client.createPaymentRequest({ ...input, payerFirstName: "فاطمة", payerLastName: null, note: "n😀" })
    expect(JSON.parse(gateway.received[0]?.body ?? "")).toMatchObject({
      payer_first_name: "فاطمة",
      payer_last_name: null,
      note: "n😀",
    })
  })

  it.each(["20", "20.5", "0.00000000000001", "12345678901234567890"])("sends amount %j", async (amount) => {
    gateway.script = [json(otherEnvelope(wirePaymentRequest({ amount })))]
    await client.createPaymentRequest({ ...input, amount })
    expect(JSON.parse(gateway.received[0]?.body ?? "")).toMatchObject({ amount })
  })

  it.each(["", "-1", "1e3", "1.", "1,5", "0x1", 5 as unknown as string])(
    "refuses amount %j unsent",
    async (amount) => {
      await expect(client.createPaymentRequest({ ...input, amount })).rejects.toThrow(/^amount must match/)
      expect(gateway.received).toEqual([])
    }
  )

  it.each(["EUR", "aed", "AED ", "XAED"])("refuses the currency %j unsent", async (currency) => {
    const create = client.createPaymentRequest({ ...input, currencySymbol: currency as "AED" })
    await expect(create).rejects.toThrow(/^currencySymbol must match/)
    expect(gateway.received).toEqual([])
  })

  it.each(["https://pay.example/x", "http://127.0.0.1:4010/pay/x", "http://localhost/x", "http://[::1]:1/x"])(
    "accepts the payment link %s",
    async (link) => {
      gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: link })))]
      await expect(client.createPaymentRequest(input)).resolves.toMatchObject({ paymentLink: link })
    }
  )

  it.each([
    "http://pay.example/x",
    "http://127.0.0.1.evil.example/x",
    "http://localhost.evil.example/x",
    "javascript:alert(1)",
    "data:text/html,x",
    "//pay.example/x",
    "/x",
    "",
    "https://pay.example@evil.example/x",
  ])("refuses the payment link %j", async (link) => {
    gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: link })))]
    await expect(client.createPaymentRequest(input)).rejects.toMatchObject({ fields: ["data.payment_link"] })
  })

  it.each([
    ["https://PAY.example/x", true],
    ["https://pay.example:8443/x", true],
    ["https://alt.example:8443/x", true],
    ["https://alt.example/x", false],
    ["https://sub.pay.example/x", false],
    ["https://pay.example.evil.example/x", false],
    ["https://pay.example\\@evil.example/", false],
    ["\thttps://pay.example/x", false],
  ])("with paymentLinkHosts, %s is acceptable: %p", async (link, acceptable) => {
    await replaceClient({ paymentLinkHosts: ["Pay.Example", "alt.example:8443"] })
    gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: link })))]
    const fields = await client.createPaymentRequest(input).then(
      () => null,
      (error: GatewayMalformed) => error.fields
    )
    expect(fields).toEqual(acceptable ? null : ["data.payment_link"])
  })

  it("gives the link as every program reads it", async () => {
    gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: "https:PAY.example/a b" })))]
    await expect(client.createPaymentRequest(input)).resolves.toMatchObject({
      paymentLink: "https://pay.example/a%20b",
    })
  })

  it.each(["..", "a/b", "", "x".repeat(129)])("refuses %j as a created id", async (id) => {
    gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_request_id: id })))]
    await expect(client.createPaymentRequest(input)).rejects.toMatchObject({
      fields: ["data.payment_request_id"],
    })
  })
})

describe("listBalances and readBalance", () => {
  it("reads GET {baseUrl}/api/balances", async () => {
    gateway.script = [json(otherEnvelope([balance, { ...balance, asset: "BTC", chain: "x" }]))]
    await expect(client.listBalances()).resolves.toEqual([
      { ...balance, additionalFields: {} },
      { ...balance, asset: "BTC", additionalFields: { chain: "x" } },
    ])
    expect(gateway.received).toMatchObject([{ method: "GET", url: "/api/v1/api/balances" }])
  })

  it.each(["AED", "USDC.e", "USDT_TRC20", "USDT-TRC20"])(
    "reads GET {baseUrl}/api/balances/%s",
    async (symbol) => {
      gateway.script = [json(otherEnvelope({ ...balance, asset: symbol }))]
      await expect(client.readBalance(symbol)).resolves.toEqual({
        ...balance,
        asset: symbol,
        additionalFields: {},
      })
      expect(gateway.received).toMatchObject([{ url: `/api/v1/api/balances/${symbol}` }])
    }
  )

  it("takes the gateway's letters for the symbol that was asked for", async () => {
    gateway.script = [json(otherEnvelope({ ...balance, asset: "AED" }))]
    await expect(client.readBalance("aed")).resolves.toMatchObject({ asset: "AED" })
  })

  it("refuses a balance of another asset than the one asked for", async () => {
    gateway.script = [json(otherEnvelope({ ...balance, asset: "BTC" }))]
    await expect(client.readBalance("AED")).rejects.toMatchObject({ fields: ["data.asset"] })
  })

  it.each(["", ".", "..", "A/B", "A B", "%41", "A\n"])("refuses the symbol %j unsent", async (symbol) => {
    await expect(client.readBalance(symbol)).rejects.toThrow(/^symbol must match/)
    expect(gateway.received).toEqual([])
  })

  it.each(["asset", "value", "locked"])("refuses a balance whose %s is a number", async (name) => {
    gateway.script = [json(otherEnvelope({ ...balance, [name]: 1 }))]
    await expect(client.readBalance("AED")).rejects.toMatchObject({ fields: [`data.${name}`] })
  })
})

describe("baseUrl", () => {
  it.each(["/api/v1", "/api/v1/", "/api/v1//"])("is put before the path, ending %s", async (prefix) => {
    await replaceClient({ baseUrl: `http://${gateway.host}${prefix}` })
    gateway.script = [json(otherEnvelope([]))]
    await client.listBalances()
    expect(gateway.received).toMatchObject([{ url: "/api/v1/api/balances" }])
  })

  it.each(["", "/"])("may have no prefix (%j)", async (prefix) => {
    await replaceClient({ baseUrl: `http://${gateway.host}${prefix}` })
    gateway.script = [json(otherEnvelope([]))]
    await client.listBalances()
    expect(gateway.received).toMatchObject([{ url: "/api/balances" }])
  })
})
