import { PAID } from "../../decision/example-row.spec"
import { DATA, FakeLedger, ROW } from "./fake-ledger.spec"
import type CryptoPaymentProvider from "./service"

let ledger: FakeLedger
let provider: CryptoPaymentProvider
beforeEach(() => {
  ledger = new FakeLedger()
  provider = ledger.provider
})

describe("refundPayment", () => {
  const refund = { data: DATA, amount: 20.01, context: { idempotency_key: "ref_1" } }

  it("lets through the refund that was registered: this one, of this amount", async () => {
    ledger.isRefundRegistered = true
    expect(await provider.refundPayment(refund)).toEqual({ data: DATA })
    expect(ledger.effects).toEqual([["admit", "cpreq_1", "20.01", "ref_1"]])
  })

  it.each([
    ["that was not registered", refund, false],
    ["that core gives no id", { data: DATA, amount: 20.01 }, true],
    ["of somebody else's request", { ...refund, data: { ...DATA, session_id: "payses_9" } }, true],
  ])("refuses one %s, and says how it is done", async (_, input, isRegistered) => {
    ledger.isRefundRegistered = isRegistered
    await expect(provider.refundPayment(input)).rejects.toMatchObject({
      type: "not_allowed",
      message:
        "Crypto payments cannot be refunded from here: the gateway has no refund call. Send the money back in the " +
        'gateway\'s dashboard. Then go to the section "Crypto payment" of the order and press "Register refund".',
    })
  })
})

describe("updatePayment", () => {
  it("has nothing to do when amount and currency are the link's", async () => {
    const answer = await provider.updatePayment({ data: DATA, amount: 20.0149, currency_code: "USD" })
    expect(answer).toEqual({ data: DATA })
  })

  it.each([
    ["another amount", { data: DATA, amount: 20.02, currency_code: "usd" }],
    ["another currency", { data: DATA, amount: 20.01, currency_code: "aed" }],
    ["what is not its own", { data: {}, amount: 20.01, currency_code: "usd" }],
  ])("refuses %s", async (_, input) => {
    await expect(provider.updatePayment(input)).rejects.toMatchObject({
      type: "not_allowed",
      message: "A payment link cannot be changed. Create a new payment session for the new amount.",
    })
  })
})

describe("getPaymentStatus", () => {
  it.each([
    [PAID, "captured"],
    [{ gateway_status: "PENDING" }, "pending"],
    [{ gateway_status: "UNPAID" }, "requires_more"],
  ])("of %j is %s", async (recorded, status) => {
    ledger.rows = [{ ...ROW, ...recorded }]
    expect(await provider.getPaymentStatus({ data: DATA })).toEqual({ status, data: DATA })
    expect(await provider.retrievePayment({ data: DATA })).toEqual({ data: DATA })
  })

  it.each([
    ["another's session", { ...DATA, session_id: "payses_9" }],
    ["another request", { ...DATA, payment_request_id: "pr_9" }],
    ["no session", { payment_request_id: "pr_1" }],
    ["no request", { session_id: "payses_2" }],
    ["ids that are no texts", { session_id: ["payses_2"], payment_request_id: "pr_1" }],
    ["nothing", undefined],
  ])("is not told to %s", async (_, data) => {
    await expect(provider.getPaymentStatus(data === undefined ? {} : { data })).rejects.toMatchObject({
      type: "not_found",
      message: "There is no such payment request.",
    })
    expect(ledger.effects).toEqual([])
  })

  it("of a former session is the link's: the gateway baked that session's id into the return address", async () => {
    const answer = await provider.getPaymentStatus({ data: { ...DATA, session_id: "payses_1" } })
    expect(answer.status).toBe("requires_more")
  })
})
