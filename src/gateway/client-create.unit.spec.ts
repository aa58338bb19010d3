import { ClientUnderTest, input } from "./client-under-test.spec"
import { toCurrencySymbol } from "./currencies"
import { GatewayMalformed } from "./errors"
import { json, otherEnvelope, wirePaymentRequest } from "./fake-gateway.spec"

const on = new ClientUnderTest()

describe("createPaymentRequest", () => {
  it("posts the interface's fields, absent optional ones absent, and accepts the PENDING answer", async () => {
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_status: "PENDING" })))]
    await expect(on.client.createPaymentRequest(input)).resolves.toMatchObject({ paymentStatus: "PENDING" })
    expect(on.gateway.received).toMatchObject([{ method: "POST", url: "/api/v1/api/payments" }])
    expect(on.gateway.received[0]?.headers).toMatchObject({
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "medusa-payment-crypto",
    })
    expect(JSON.parse(on.gateway.received[0]?.body ?? "")).toEqual({
      symbol: "AED",
      amount: "129.90",
      ipn_success_url: input.successUrl,
      ipn_failed_url: input.failedUrl,
      payer_email_address: "buyer@example.com",
    })
  })

  it("posts names and note, in UTF-8, null as null", async () => {
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest()))]
    await on.client.createPaymentRequest({
      ...input,
      payerFirstName: "فاطمة",
      payerLastName: null,
      note: "n😀",
    })
    expect(JSON.parse(on.gateway.received[0]?.body ?? "")).toMatchObject({
      payer_first_name: "فاطمة",
      payer_last_name: null,
      note: "n😀",
    })
  })

  it.each(["20", "20.5", "0.00000000000001", "12345678901234567890"])("sends amount %j", async (amount) => {
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ amount })))]
    await on.client.createPaymentRequest({ ...input, amount })
    expect(JSON.parse(on.gateway.received[0]?.body ?? "")).toMatchObject({ amount })
  })

  it.each(["", "-1", "1e3", "1.", "1,5", "0x1", 5 as unknown as string])(
    "refuses amount %j unsent",
    async (amount) => {
      await expect(on.client.createPaymentRequest({ ...input, amount })).rejects.toThrow(/^amount must match/)
      expect(on.gateway.received).toEqual([])
    }
  )

  it.each(["EUR", "aed", "AED ", "XAED"])("refuses the currency %j unsent", async (currency) => {
    const create = on.client.createPaymentRequest({ ...input, currencySymbol: currency as "AED" })
    await expect(create).rejects.toThrow(/^currencySymbol must match/)
    expect(on.gateway.received).toEqual([])
  })

  it.each(["https://pay.example/x", "http://127.0.0.1:4010/pay/x", "http://localhost/x", "http://[::1]:1/x"])(
    "accepts the payment link %s",
    async (link) => {
      on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: link })))]
      await expect(on.client.createPaymentRequest(input)).resolves.toMatchObject({ paymentLink: link })
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
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: link })))]
    await expect(on.client.createPaymentRequest(input)).rejects.toMatchObject({
      fields: ["data.payment_link"],
    })
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
    on.replaceClient({ paymentLinkHosts: ["Pay.Example", "alt.example:8443"] })
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: link })))]
    const fields = await on.client.createPaymentRequest(input).then(
      () => null,
      (error: GatewayMalformed) => error.fields
    )
    expect(fields).toEqual(acceptable ? null : ["data.payment_link"])
  })

  it.each([
    ["https://alt.example/x", "alt.example"],
    ["https://other.example:8443/x", "other.example:8443"],
    // Refused whatever the list says.
    ["http://other.example/x", null],
    ["https://pay.example@evil.example/x", null],
  ])("names the host of %s that paymentLinkHosts alone refuses: %p", async (link, host) => {
    on.replaceClient({ paymentLinkHosts: ["pay.example"] })
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: link })))]
    await expect(on.client.createPaymentRequest(input)).rejects.toMatchObject({ linkHost: host })
  })

  it("gives the link as every program reads it", async () => {
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_link: "https:PAY.example/a b" })))]
    await expect(on.client.createPaymentRequest(input)).resolves.toMatchObject({
      paymentLink: "https://pay.example/a%20b",
    })
  })

  it.each(["..", "a/b", "", "x".repeat(129)])("refuses %j as a created id", async (id) => {
    on.gateway.script = [json(otherEnvelope(wirePaymentRequest({ payment_request_id: id })))]
    await expect(on.client.createPaymentRequest(input)).rejects.toMatchObject({
      fields: ["data.payment_request_id"],
    })
  })
})

describe("toCurrencySymbol", () => {
  it("knows AED and USD in any case and nothing else", () => {
    expect([toCurrencySymbol("usd"), toCurrencySymbol("AED"), toCurrencySymbol("eur")]).toEqual([
      "USD",
      "AED",
      undefined,
    ])
  })
})
