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
  const about = (action: string) => ({ action, data: { session_id: "payses_2", amount: "20.01" } })

  it("translates a genuine PAID, and reads nothing else: core asks the provider again before it captures", async () => {
    expect(await hear(GENUINE)).toEqual(about("captured"))
    expect(ledger.effects).toEqual([])
  })

  it("has nothing to do for what is captured already", async () => {
    ledger.rows = [{ ...ROW, ...PAID, captured_at: new Date() }]
    expect(await hear(GENUINE)).toEqual(NOT_OURS)
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
    expect(await hear({}, raw(`\uFEFF${JSON.stringify(GENUINE)}`))).toMatchObject({ action: "captured" })
  })

  it("has nothing to do for what is not JSON", async () => {
    expect(await hear({}, "hello")).toEqual(NOT_OURS)
  })

  it.each([
    ["bytes", Buffer.from(JSON.stringify(GENUINE))],
    ["text", JSON.stringify(GENUINE)],
  ])("reads the raw %s, which a form has not garbled", async (_, rawData) => {
    expect(await hear({ garbled: "" }, rawData)).toEqual(about("captured"))
  })

  it.each([
    ["left out", undefined],
    ["went through a bus", { type: "Buffer", data: [] }],
  ])("takes the parsed body where the raw bytes %s", async (_, rawData) => {
    expect(await hear(GENUINE, rawData ?? null)).toEqual(about("captured"))
  })

  it("takes the row of the provider whose key made the hash, of several accounts that know the same id", async () => {
    const other = { ...ROW, id: "cpreq_0", provider_id: "pp_crypto_other" }
    const gone = { ...ROW, id: "cpreq_x", provider_id: "pp_crypto_gone" }
    ledger.rows = [gone, { ...other, session_id: "payses_other" }, ROW]
    ledger.keys["pp_crypto_other"] = ["other-key"]
    expect(await hear(GENUINE)).toEqual(about("captured"))
  })
})
