import { createHmac } from "node:crypto"
import { computeApprovalHash } from "./approval-hash"
import { startKit, type Kit } from "./testing-kit.spec"

const PAID = {
  payment_request_id: "pay_1",
  payment_amount: "20.01000000000000",
  payment_currency: "USD",
  receiving_amount: "19.80990000000000",
  paid_cryptocurrency: "BTC",
  fee_amount: "0.20010000000000",
  fee_paid_by: "MERCHANT",
  payer_email_address: "amira@example.com",
  payer_first_name: "Amira",
  payer_last_name: null,
  ref_id: "REF1",
  merchant_id: "mer_1",
  merchant_name: "متجر",
  status: "PAID",
  paid_at: "2025-01-02T03:04:05.678Z",
  note: "payses_1",
}

// Literals from OpenSSL 3, values typed in by hand in the order of the field names:
//   printf '%s' '0.20010000000000MERCHANTmer_1متجرpayses_12025-01-02T03:04:05.678ZBTCamira@example.comAmira20.01000000000000USDpay_119.80990000000000REF1PAID' \
//     | openssl dgst -sha256 -hmac sandbox-key -hex
//   printf '%s' 'mer_1متجرpayses_1amira@example.comAmira20.01000000000000USDpay_1UNPAID' \
//     | openssl dgst -sha256 -hmac sandbox-key -hex
const PAID_HASH = "fb0554a05ce06fd04b88b55c02bfd6cc75e9afb0d6e39805bd79b0aee60bb08d"
const UNPAID_HASH = "516a9ba96445eac73d34d176fa98838ad9975e4106aacd64e47aa7427d9ad3a4"

describe("computeApprovalHash", () => {
  it("concatenates values in the order of their names", () => {
    expect(computeApprovalHash(PAID, "sandbox-key")).toBe(PAID_HASH)
  })

  it("counts null as empty", () => {
    const none = { receiving_amount: null, paid_cryptocurrency: null, fee_amount: null, fee_paid_by: null }
    const unpaid = { ...PAID, ...none, ref_id: null, paid_at: null, status: "UNPAID" }
    expect(computeApprovalHash(unpaid, "sandbox-key")).toBe(UNPAID_HASH)
  })
})

// The interface's order written out, independent of the sandbox's own sorting.
function expectedHash(data: Record<string, string | null>): string {
  const order =
    "fee_amount fee_paid_by merchant_id merchant_name note paid_at paid_cryptocurrency payer_email_address payer_first_name payer_last_name payment_amount payment_currency payment_request_id receiving_amount ref_id status"
  const text = order.split(" ").map((name) => data[name] ?? "")
  return createHmac("sha256", "sandbox-key").update(text.join("")).digest("hex")
}

describe("notifications", () => {
  let kit: Kit
  let id: string
  beforeEach(async () => {
    kit = await startKit({ merchantId: "mer_1", merchantName: "متجر" })
    id = await kit.create()
    await kit.control("settings", { notificationBackoffMs: 1 })
  })
  afterEach(() => kit.close())

  it("carry exactly the interface's fields, fiat in payment_amount, and a right hash", async () => {
    await kit.control(`payments/${id}/pay`, { coin: "BTC", wait: true })
    const [got] = kit.receiver.received
    expect(got?.body.data).toEqual({
      ...PAID,
      payment_request_id: id,
      ref_id: expect.stringMatching(/^REF/),
      paid_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(got?.body.approval_hash).toBe(expectedHash(got?.body.data ?? {}))
    expect([got?.method, got?.contentType]).toEqual(["POST", "application/json"])
  })

  it("of an unpaid request tell nothing of coin, fee or time", async () => {
    await kit.control(`payments/${id}/decline`, { wait: true })
    expect(kit.receiver.received[0]?.body.data).toMatchObject({
      status: "UNPAID",
      paid_at: null,
      ref_id: null,
      fee_amount: null,
      receiving_amount: null,
      paid_cryptocurrency: null,
    })
  })

  it("repeat as often as asked", async () => {
    await kit.control(`payments/${id}/pay`, { notifications: 3, wait: true })
    expect(new Set(kit.receiver.received.map((each) => each.text)).size).toBe(1)
    expect(kit.receiver.received).toHaveLength(3)
  })

  it("are not sent when the payment is to be lost", async () => {
    await kit.control(`payments/${id}/pay`, { notify: false, wait: true })
    expect(kit.receiver.received).toHaveLength(0)
    expect((await kit.call("GET", "/control/notifications")).body).toEqual([])
  })

  it("are tried again until the receiver answers 2xx", async () => {
    kit.receiver.answers.push(503, 500)
    const { body } = await kit.control(`payments/${id}/pay`, { wait: true })
    const [delivery] = body.deliveries
    expect(delivery.state).toBe("delivered")
    expect(delivery.attempts.map((each: { http_status: number }) => each.http_status)).toEqual([
      503, 500, 200,
    ])
  })

  it("are given up after the tries in the settings", async () => {
    await kit.control("settings", { notificationAttempts: 1 })
    kit.receiver.answers.push(500)
    const { body } = await kit.control(`payments/${id}/pay`, { wait: true })
    expect(body.deliveries[0]).toMatchObject({ state: "failed", attempts: [{ http_status: 500 }] })
  })

  it("record a receiver that cannot be reached", async () => {
    await kit.control("settings", { notificationAttempts: 1 })
    await kit.control("webhook", { url: "http://127.0.0.1:1/hook" })
    const { body } = await kit.control(`payments/${id}/pay`, { wait: true })
    expect(body.deliveries[0].attempts[0]).toMatchObject({
      http_status: null,
      error: expect.stringContaining("ECONNREFUSED"),
    })
  })

  it("are recorded and not sent without a webhook address", async () => {
    kit.sandbox.setWebhookUrl(undefined)
    const { body } = await kit.control(`payments/${id}/pay`, { wait: true })
    expect(body.deliveries[0]).toMatchObject({ state: "no_webhook_url", attempts: [] })
  })

  describe("by hand", () => {
    const notify = (body: Record<string, unknown> = {}) => kit.control(`payments/${id}/notify`, body)
    const last = () => kit.receiver.received.at(-1)

    it("answers with what the receiver said, one try each", async () => {
      kit.receiver.answers.push(401, 200)
      const { body } = await notify({ times: 2 })
      expect(body.statuses).toEqual([401, 200])
    })

    it("tells the status asked for", async () => {
      await kit.control(`payments/${id}/pay`, { notify: false })
      await notify({ status: "UNPAID" })
      expect(last()?.body.data).toMatchObject({ status: "UNPAID", ref_id: null })
    })

    it("tamper hash breaks the digest", async () => {
      await notify({ tamper: "hash" })
      const genuine = expectedHash(last()?.body.data ?? {})
      expect(last()?.body.approval_hash).not.toBe(genuine)
      expect(last()?.body.approval_hash).toHaveLength(64)
    })

    it("tamper boundary says PAID under the digest of the genuine UNPAID body", async () => {
      await notify({ tamper: "boundary" })
      const { data, approval_hash } = last()?.body ?? { data: {}, approval_hash: "" }
      expect(data).toMatchObject({ ref_id: "UN", status: "PAID", paid_at: null })
      expect(approval_hash).toBe(expectedHash({ ...data, ref_id: null, status: "UNPAID" }))
      expect(approval_hash).toBe(expectedHash(data))
    })

    it("tamper missing leaves the hash out", async () => {
      await notify({ tamper: "missing" })
      expect(Object.keys(last()?.body ?? {})).toEqual(["data"])
    })

    it("can be signed with another key", async () => {
      await notify({ secretKey: "stolen" })
      expect(last()?.body.approval_hash).not.toBe(expectedHash(last()?.body.data ?? {}))
    })

    it("can carry other data under a right hash", async () => {
      await notify({ data: { payment_request_id: "unknown" } })
      expect(last()?.body.data["payment_request_id"]).toBe("unknown")
      expect(last()?.body.approval_hash).toBe(expectedHash(last()?.body.data ?? {}))
    })

    it("can carry any body, content type and method", async () => {
      await notify({ body: "not json", contentType: "application/octet-stream", method: "PUT" })
      expect(last()).toMatchObject({
        text: "not json",
        contentType: "application/octet-stream",
        method: "PUT",
      })
    })
  })
})
