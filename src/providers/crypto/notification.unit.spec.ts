import { PAID } from "../../decision/example-row.spec"
import { FakeLedger, ROW } from "./fake-ledger.spec"

// printf 'pr_1PAID' | openssl dgst -sha256 -hmac 'shop-key'
const GENUINE = {
  data: { payment_request_id: "pr_1", status: "PAID" },
  approval_hash: "668a7e2eae52b201d15c3c0682ecd25bf1399f65c219b7f2ddee9e43a38d4110",
}
const NOT_OURS = { action: "not_supported" }

describe("getWebhookActionAndData", () => {
  let ledger: FakeLedger
  beforeEach(() => {
    ledger = new FakeLedger()
  })

  const hear = async (body: object, rawData: unknown = JSON.stringify(body)): Promise<unknown> =>
    await ledger.provider.getWebhookActionAndData({
      data: body as Record<string, unknown>,
      rawData: rawData as string,
      headers: {},
    })
  const about = (action: string, amount = "20.01") => ({
    action,
    data: { session_id: "payses_2", amount },
  })

  it("says captured when the gateway's own read does, with the session's amount to the last digit", async () => {
    ledger.reading = PAID
    ledger.setFacts({ session_amount: "20.0099" })
    expect(await hear(GENUINE)).toEqual(about("captured", "20.0099"))
    expect(ledger.effects).toEqual([["read", "cpreq_1"]])
  })

  it.each([
    ["UNPAID", "requires_more"],
    ["PENDING", "pending"],
  ])("trusts no PAID that the gateway's read calls %s", async (gateway_status, action) => {
    ledger.reading = { gateway_status }
    expect(await hear(GENUINE)).toEqual(about(action))
    expect(ledger.effects).toEqual([["read", "cpreq_1"]])
  })

  it("captures nothing of the wrong amount: a case is opened, and the row is settled", async () => {
    ledger.reading = { ...PAID, gateway_amount: "1.00000000000000" }
    expect(await hear(GENUINE)).toEqual(about("pending"))
    expect(ledger.effects).toEqual([
      ["read", "cpreq_1"],
      ["attention", "cpreq_1", "amount_mismatch"],
      ["due", "cpreq_1"],
    ])
  })

  it("has it asked again when the gateway cannot be read", async () => {
    ledger.failure = "unreadable"
    expect(await hear(GENUINE)).toEqual(about("requires_more"))
    expect(ledger.effects).toEqual([
      ["read", "cpreq_1"],
      ["due", "cpreq_1"],
    ])
  })

  it("names the ledger's amount where core has deleted the session", async () => {
    ledger.setFacts({ session_amount: null })
    expect(await hear(GENUINE)).toEqual(about("requires_more"))
  })

  it.each([
    ["a hash made with another key", { ...GENUINE, approval_hash: "0".repeat(64) }],
    ["a request that is not ours", { ...GENUINE, data: { ...GENUINE.data, payment_request_id: "pr_2" } }],
    ["a body without the request's id", { ...GENUINE, data: { status: "PAID" } }],
    ["a body that is no notification", { hello: "world" }],
  ])("has nothing to do for %s, and asks the gateway nothing", async (_, body) => {
    expect(await hear(body)).toEqual(NOT_OURS)
    expect(ledger.effects).toEqual([])
  })

  it.each([
    ["text", (text: string) => text],
    ["bytes", (text: string) => Buffer.from(text)],
  ])("reads %s that begin with a byte order mark", async (_, raw) => {
    ledger.reading = PAID
    expect(await hear({}, raw(`\uFEFF${JSON.stringify(GENUINE)}`))).toMatchObject({ action: "captured" })
  })

  it("has nothing to do for what is not JSON", async () => {
    expect(await hear({}, "hello")).toEqual(NOT_OURS)
  })

  it.each([
    ["bytes", Buffer.from(JSON.stringify(GENUINE))],
    ["text", JSON.stringify(GENUINE)],
  ])("reads the raw %s, which a form has not garbled", async (_, rawData) => {
    expect(await hear({ garbled: "" }, rawData)).toEqual(about("requires_more"))
  })

  it.each([
    ["left out", undefined],
    ["went through a bus", { type: "Buffer", data: [] }],
  ])("takes the parsed body where the raw bytes %s", async (_, rawData) => {
    expect(await hear(GENUINE, rawData ?? null)).toEqual(about("requires_more"))
  })

  it("takes the row of the provider whose key made the hash, of several accounts that know the same id", async () => {
    const other = { ...ROW, id: "cpreq_0", provider_id: "pp_crypto_other" }
    const gone = { ...ROW, id: "cpreq_x", provider_id: "pp_crypto_gone" }
    ledger.rows = [gone, other, ROW]
    ledger.keys["pp_crypto_other"] = ["other-key"]
    await hear(GENUINE)
    expect(ledger.effects).toEqual([["read", "cpreq_1"]])
  })
})
