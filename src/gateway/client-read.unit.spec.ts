import { ClientUnderTest, paymentRequest } from "./client-under-test.spec"
import { GatewayMalformed } from "./errors"
import { json, readEnvelope, wirePaymentRequest } from "./fake-gateway.spec"

const on = new ClientUnderTest()

describe("readPaymentRequest", () => {
  it("reads GET {baseUrl}/api/payments/{id}", async () => {
    on.gateway.script = [json(readEnvelope(wirePaymentRequest()))]
    await expect(on.client.readPaymentRequest("pr_0001")).resolves.toEqual(paymentRequest)
    expect(on.gateway.received).toMatchObject([{ method: "GET", url: "/api/v1/api/payments/pr_0001" }])
  })

  it("asks caches for the gateway's own answer", async () => {
    on.gateway.script = [json(readEnvelope(wirePaymentRequest()))]
    await on.client.readPaymentRequest("pr_0001")
    expect(on.gateway.received[0]?.headers).toMatchObject({
      accept: "application/json",
      "cache-control": "no-cache",
    })
  })

  it("refuses an answer about another payment request", async () => {
    on.gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_request_id: "pr_0002" })))]
    const read = on.client.readPaymentRequest("pr_0001")
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
    await expect(on.client.readPaymentRequest(id)).rejects.toThrow(
      "paymentRequestId must match /^(?!\\.{1,2}$)[\\w.~:@+=-]{1,128}$/"
    )
    expect(on.gateway.received).toEqual([])
  })

  it.each([
    ["pr_1.2", "pr_1.2"],
    ["...", "..."],
    ["2026:11-22~a", "2026%3A11-22~a"],
    ["a+b==", "a%2Bb%3D%3D"],
    ["shop@1", "shop%401"],
  ])("reads the id %s at .../%s", async (id, segment) => {
    on.gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_request_id: id })))]
    await expect(on.client.readPaymentRequest(id)).resolves.toMatchObject({ paymentRequestId: id })
    expect(on.gateway.received).toMatchObject([{ url: `/api/v1/api/payments/${segment}` }])
  })

  it.each(["http://evil.example/", "javascript:alert(1)", ""])(
    "shows a PAID even when its payment link is %j",
    async (link) => {
      on.gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_link: link })))]
      await expect(on.client.readPaymentRequest("pr_0001")).resolves.toMatchObject({
        paymentStatus: "PAID",
        paymentLink: link,
      })
    }
  )

  it.each(["PAID", "UNPAID", "PENDING"])("knows the status %s", async (status) => {
    on.gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_status: status })))]
    await expect(on.client.readPaymentRequest("pr_0001")).resolves.toMatchObject({
      paymentStatus: status,
      paymentStatusReceived: status,
    })
  })

  it.each([
    ["unpaid", "UNPAID"],
    [" Unpaid\n", "UNPAID"],
    ["\tpending ", "PENDING"],
  ])("knows the status %j as %s in any case and with blanks around it, kept", async (status, known) => {
    on.gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_status: status })))]
    await expect(on.client.readPaymentRequest("pr_0001")).resolves.toMatchObject({
      paymentStatus: known,
      paymentStatusReceived: status,
    })
  })

  it.each([
    "paid",
    "PAID ",
    " PAID",
    "UNPAID\nPAID",
    "not unpaid",
    "not pending",
    "pending review",
    "REFUNDED",
    "__proto__",
    "",
  ])("takes the status %j as UNKNOWN, kept", async (status) => {
    on.gateway.script = [json(readEnvelope(wirePaymentRequest({ payment_status: status })))]
    await expect(on.client.readPaymentRequest("pr_0001")).resolves.toMatchObject({
      paymentStatus: "UNKNOWN",
      paymentStatusReceived: status,
    })
  })

  it("leaves out fields the interface does not list", async () => {
    on.gateway.script = [json(readEnvelope(wirePaymentRequest({ network: { id: 1 } })))]
    await expect(on.client.readPaymentRequest("pr_0001")).resolves.toEqual(paymentRequest)
  })

  it("needs neither message nor pagination", async () => {
    on.gateway.script = [json({ data: wirePaymentRequest(), successful: true })]
    await expect(on.client.readPaymentRequest("pr_0001")).resolves.toEqual(paymentRequest)
  })

  const nullable = Object.keys(wirePaymentRequest()).filter(
    (name) => !/^(payment_request_id|currency_symbol|amount|payment_status)$/.test(name)
  )

  it.each(nullable)("takes an absent %s as null", async (name) => {
    const { [name]: _absent, ...rest } = wirePaymentRequest()
    on.gateway.script = [json(readEnvelope(rest)), json(readEnvelope({ ...rest, [name]: null }))]
    const absent = await on.client.readPaymentRequest("pr_0001")
    expect(absent).toEqual(await on.client.readPaymentRequest("pr_0001"))
  })

  const required = Object.keys(wirePaymentRequest()).filter((name) => !nullable.includes(name))

  it.each(required)("refuses an answer without %s", async (name) => {
    const { [name]: _absent, ...rest } = wirePaymentRequest()
    on.gateway.script = [json(readEnvelope(rest))]
    await expect(on.client.readPaymentRequest("pr_0001")).rejects.toMatchObject({ fields: [`data.${name}`] })
  })
})
