import { ClientUnderTest, paymentRequest } from "./client-under-test.spec"
import { json, otherEnvelope, readEnvelope, wirePaymentRequest } from "./fake-gateway.spec"

const balance = { asset: "AED", value: "10.00000000000000", locked: "0.00000000000000" }

const on = new ClientUnderTest()

describe("listPaymentRequests", () => {
  it("reads GET {baseUrl}/api/payments without a page unless asked", async () => {
    on.gateway.script = [json(readEnvelope([wirePaymentRequest()]))]
    await expect(on.client.listPaymentRequests()).resolves.toEqual({
      paymentRequests: [paymentRequest],
      unreadable: [],
      pagination: { totalCount: 1, pageCount: 1, pageSize: 20 },
    })
    expect(on.gateway.received).toMatchObject([{ method: "GET", url: "/api/v1/api/payments", body: "" }])
  })

  it.each([1, 3])("asks for the page given: %d", async (page) => {
    on.gateway.script = [json(readEnvelope([]))]
    await on.client.listPaymentRequests({ page })
    expect(on.gateway.received).toMatchObject([{ url: `/api/v1/api/payments?page=${page}` }])
  })

  it("reads a page of 6000 records", async () => {
    const records = Array.from({ length: 6000 }, (_, index) =>
      wirePaymentRequest({ payment_request_id: `pr_${String(index)}`, note: "x".repeat(500) })
    )
    on.gateway.script = [json(readEnvelope(records))]
    const { paymentRequests, unreadable } = await on.client.listPaymentRequests()
    expect([paymentRequests.length, unreadable.length]).toEqual([6000, 0])
    expect(paymentRequests.at(-1)?.paymentRequestId).toBe("pr_5999")
  })

  it("calls a page over 16 MB malformed", async () => {
    on.gateway.script = [json(readEnvelope([wirePaymentRequest({ pad: "x".repeat(16 * 1024 * 1024) })]))]
    await expect(on.client.listPaymentRequests()).rejects.toMatchObject({ fields: ["body"] })
  })
})

describe("listBalances and readBalance", () => {
  it("reads GET {baseUrl}/api/balances", async () => {
    on.gateway.script = [json(otherEnvelope([balance, { ...balance, asset: "BTC", chain: "x" }]))]
    await expect(on.client.listBalances()).resolves.toEqual([balance, { ...balance, asset: "BTC" }])
    expect(on.gateway.received).toMatchObject([{ method: "GET", url: "/api/v1/api/balances" }])
  })

  it.each(["AED", "USDC.e", "USDT_TRC20", "USDT-TRC20"])(
    "reads GET {baseUrl}/api/balances/%s",
    async (symbol) => {
      on.gateway.script = [json(otherEnvelope({ ...balance, asset: symbol }))]
      await expect(on.client.readBalance(symbol)).resolves.toEqual({
        ...balance,
        asset: symbol,
      })
      expect(on.gateway.received).toMatchObject([{ url: `/api/v1/api/balances/${symbol}` }])
    }
  )

  it("takes the gateway's letters for the symbol that was asked for", async () => {
    on.gateway.script = [json(otherEnvelope({ ...balance, asset: "AED" }))]
    await expect(on.client.readBalance("aed")).resolves.toMatchObject({ asset: "AED" })
  })

  it("refuses a balance of another asset than the one asked for", async () => {
    on.gateway.script = [json(otherEnvelope({ ...balance, asset: "BTC" }))]
    await expect(on.client.readBalance("AED")).rejects.toMatchObject({ fields: ["data.asset"] })
  })

  it.each(["", ".", "..", "A/B", "A B", "%41", "A\n"])("refuses the symbol %j unsent", async (symbol) => {
    await expect(on.client.readBalance(symbol)).rejects.toThrow(/^symbol must match/)
    expect(on.gateway.received).toEqual([])
  })

  it.each(["asset", "value", "locked"])("refuses a balance whose %s is a number", async (name) => {
    on.gateway.script = [json(otherEnvelope({ ...balance, [name]: 1 }))]
    await expect(on.client.readBalance("AED")).rejects.toMatchObject({ fields: [`data.${name}`] })
  })
})

describe("baseUrl", () => {
  it.each(["/api/v1", "/api/v1/", "/api/v1//"])("is put before the path, ending %s", async (prefix) => {
    on.replaceClient({ baseUrl: `http://${on.gateway.host}${prefix}` })
    on.gateway.script = [json(otherEnvelope([]))]
    await on.client.listBalances()
    expect(on.gateway.received).toMatchObject([{ url: "/api/v1/api/balances" }])
  })

  it.each(["", "/"])("may have no prefix (%j)", async (prefix) => {
    on.replaceClient({ baseUrl: `http://${on.gateway.host}${prefix}` })
    on.gateway.script = [json(otherEnvelope([]))]
    await on.client.listBalances()
    expect(on.gateway.received).toMatchObject([{ url: "/api/balances" }])
  })
})
