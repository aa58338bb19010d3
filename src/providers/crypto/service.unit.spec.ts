import { MedusaError } from "@medusajs/framework/utils"
import { PAID } from "../../decision/example-row.spec"
import { DATA, FakeLedger, ROW } from "./fake-ledger.spec"
import registration from "./index"
import CryptoPaymentProvider from "./service"

let ledger: FakeLedger
let provider: CryptoPaymentProvider
beforeEach(() => {
  ledger = new FakeLedger()
  provider = ledger.provider
})

const bySession = (sessionId: string) => ({ context: { idempotency_key: sessionId } })

it("is registered with the payment module, under the name that provider ids and the webhook's path hold", () => {
  expect(registration).toMatchObject({ module: "payment", services: [CryptoPaymentProvider] })
  expect(CryptoPaymentProvider.identifier).toBe("crypto")
})

it("names the missing plugin when it is called without its ledger", async () => {
  await expect(new CryptoPaymentProvider({}).deletePayment({ data: DATA })).rejects.toMatchObject({
    type: "unexpected_state",
    message:
      'medusa-payment-crypto, in medusa-config: the plugin is not loaded. Add { resolve: "medusa-payment-crypto", options: {} } to plugins.',
  })
})

describe("initiatePayment", () => {
  it("asks for a link of the session that core names, over the rounded amount, and gives exactly the five keys", async () => {
    const answer = await provider.initiatePayment({
      amount: { value: "20.005", precision: 20 },
      currency_code: "usd",
      data: { session_id: "EVIL", amount: 1 },
      ...bySession("payses_2"),
    })
    expect(answer).toEqual({ id: "cpreq_1", status: "pending", data: DATA })
    expect(ledger.effects).toEqual([
      ["issue", { sessionId: "payses_2", amount: "20.01", currencySymbol: "USD" }],
    ])
  })

  it("takes no session id from the data when core names none", async () => {
    await provider.initiatePayment({ amount: 5, currency_code: "aed", data: { session_id: "EVIL" } })
    expect(ledger.effects).toEqual([["issue", { sessionId: "", amount: "5.00", currencySymbol: "AED" }]])
  })

  it("refuses a currency the gateway does not take, and says which it takes", async () => {
    await expect(provider.initiatePayment({ amount: 5, currency_code: "eur" })).rejects.toMatchObject({
      type: "invalid_data",
      code: "unsupported_currency",
      message:
        "Crypto payments take AED and USD, and this amount is in EUR. Choose another payment method or a region in AED or USD.",
    })
    expect(ledger.effects).toEqual([])
  })

  it("refuses an amount that is nothing once it is rounded", async () => {
    await expect(provider.initiatePayment({ amount: 0.004, currency_code: "usd" })).rejects.toMatchObject({
      type: "invalid_data",
      message: "Crypto payments need an amount above zero once rounded to two decimals.",
    })
    expect(ledger.effects).toEqual([])
  })
})

describe("authorizePayment", () => {
  const SETTLED = { ...PAID, paid_session_id: "payses_2" }

  it("says captured of the session to which a settle has bound the money", async () => {
    ledger.rows = [{ ...ROW, ...SETTLED }]
    const answer = await provider.authorizePayment(bySession("payses_2"))
    expect(answer).toEqual({ status: "captured", data: DATA })
    expect(ledger.effects).toEqual([])
  })

  it("captures nothing for a claim whose settle has ended or died", async () => {
    ledger.rows = [{ ...ROW, ...SETTLED }]
    ledger.isHeld = false
    await expect(provider.authorizePayment(bySession("payses_2"))).rejects.toThrow("the shop is checking")
  })

  it.each([
    ["a session without a link, whatever its data says", bySession("payses_9")],
    ["a former session of the link", bySession("payses_1")],
    ["no session at all", {}],
  ])("refuses %s", async (_, named) => {
    ledger.rows = [{ ...ROW, ...SETTLED }]
    await expect(provider.authorizePayment({ ...named, data: DATA })).rejects.toMatchObject({
      type: "payment_authorization_error",
      message: "No crypto payment was started for this session. Start the payment again.",
    })
    expect(ledger.effects).toEqual([])
  })

  it.each([
    ["no settle has bound", PAID],
    ["another session has", { ...PAID, paid_session_id: "payses_1" }],
  ])("captures no money that %s, also where orders come first", async (_, row) => {
    ledger.orderPlacement = "before_payment"
    ledger.rows = [{ ...ROW, ...row }]
    await expect(provider.authorizePayment(bySession("payses_2"))).rejects.toMatchObject({
      type: "payment_authorization_error",
      message: "Your payment was received and the shop is checking it.",
    })
  })

  it.each([
    ["in full", { state: "refunded" as const }],
    ["in part", { refund_registered_at: new Date() }],
  ])("captures no money that was sent back %s", async (_, row) => {
    ledger.rows = [{ ...ROW, ...SETTLED, ...row }]
    await expect(provider.authorizePayment(bySession("payses_2"))).rejects.toMatchObject({
      type: "payment_authorization_error",
      message: "Your payment was sent back. Start the payment again.",
    })
  })

  it("asks for more while a link is unpaid, and has it read for a store that asked nobody", async () => {
    await expect(provider.authorizePayment(bySession("payses_2"))).rejects.toMatchObject({
      type: MedusaError.Types.PAYMENT_REQUIRES_MORE_ERROR,
      message: "The crypto payment has not arrived yet. Pay at the payment link, or wait a moment.",
    })
    expect(ledger.effects).toEqual([["due unless just read", "cpreq_1"]])
  })

  it("places no order for a link that is closed, and sends nobody to it", async () => {
    ledger.orderPlacement = "before_payment"
    ledger.rows = [{ ...ROW, state: "closed" }]
    await expect(provider.authorizePayment(bySession("payses_2"))).rejects.toThrow(
      "This payment link cannot be used any more. Start the payment again."
    )
  })

  it("calls a closed link neither over nor payable while nobody can say whether it was paid", async () => {
    ledger.orderPlacement = "before_payment"
    ledger.rows = [{ ...ROW, state: "closed", failure: "unreadable" }]
    const authorizing = provider.authorizePayment(bySession("payses_2"))
    // Core would let the completion of an order go on after any other error.
    await expect(authorizing).rejects.toBeInstanceOf(MedusaError)
    await expect(authorizing).rejects.toThrow("could not be asked whether this is paid")
  })

  it.each([[null], ["unreadable" as const]])(
    "lets the order be placed unpaid where the shop wants that (gateway: %p)",
    async (failure) => {
      ledger.orderPlacement = "before_payment"
      ledger.rows = [{ ...ROW, failure }]
      const answer = await provider.authorizePayment(bySession("payses_2"))
      expect(answer).toEqual({ status: "pending_authorization", data: DATA })
      expect(ledger.effects).toContainEqual(["limit", "cpreq_1", 30])
    }
  )

  it.each([
    ["the provider is gone", { orderPlacement: undefined }],
    ["the provider is not configured", { orderPlacement: "before_payment", isConfigured: false }],
  ])("lets no order be placed unpaid when %s", async (_, settings) => {
    Object.assign(ledger, settings)
    await expect(provider.authorizePayment(bySession("payses_2"))).rejects.toThrow("has not arrived yet")
  })

  it("does not know when the gateway could not be asked, and says that it can be tried again", async () => {
    ledger.rows = [{ ...ROW, failure: "unreadable" }]
    const error: unknown = await provider.authorizePayment(bySession("payses_2")).catch((thrown) => thrown)
    expect(error).toEqual(
      new Error("The crypto payment service could not be asked whether this is paid. Try again in a minute.")
    )
    // Of any other kind than Medusa's: core masks it from the shopper.
    expect(error).not.toBeInstanceOf(MedusaError)
  })
})

describe("capturePayment", () => {
  it("captures what a settle has bound to the session", async () => {
    ledger.rows = [{ ...ROW, ...PAID, paid_session_id: "payses_2" }]
    expect(await provider.capturePayment({ data: DATA })).toEqual({ data: DATA })
  })

  it.each([
    ["is bound to another session", { ...PAID, paid_session_id: "payses_1" }],
    ["is bound to none", PAID],
    ["is not recorded as PAID", { paid_session_id: "payses_2" }],
    [
      "belongs to no session of that data",
      { ...PAID, paid_session_id: "payses_2", session_ids: ["payses_1"] },
    ],
  ])("captures nothing that %s", async (_, row) => {
    ledger.rows = [{ ...ROW, ...row }]
    await expect(provider.capturePayment({ data: DATA })).rejects.toMatchObject({
      type: "not_allowed",
      message: "The gateway does not say that this is paid, so it cannot be captured.",
    })
  })

  it("captures nothing for data without ids, although nothing is bound", async () => {
    ledger.rows = [{ ...ROW, ...PAID, paid_session_id: null }]
    await expect(provider.capturePayment({})).rejects.toMatchObject({ type: "not_allowed" })
  })
})
