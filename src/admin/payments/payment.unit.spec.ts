import { setI18n } from "react-i18next"
import type { CryptoPayment } from "../../http-contract"
import {
  caseWords,
  gatewayCurrency,
  givesLink,
  inCoin,
  isWaitingForCapture,
  likeliestStep,
  paidOtherwise,
} from "./payment"

const payment = {
  amount: "20.01",
  currency_code: "usd",
  gateway_amount: "20.01000000000000",
  gateway_currency_symbol: "USD",
  paid_at: "2026-11-21T10:00:00Z",
} as CryptoPayment

describe("gatewayCurrency", () => {
  it.each([
    ["AED", "aed"],
    ["aEd", "aed"],
    ["EUR", "eur"],
    ["", "usd"],
    [null, "usd"],
  ])("is, with %j of the gateway's, %s", (gateway_currency_symbol, currency) => {
    expect(gatewayCurrency({ ...payment, gateway_currency_symbol })).toBe(currency)
  })
})

describe("inCoin", () => {
  const paid = {
    ...payment,
    gateway_amount: "50.00",
    payment_amount: "13.60000000000000",
    payment_currency: "USDC",
  }

  it.each<[string, Partial<CryptoPayment>, string, string | null]>([
    ["of what was received", {}, "5.00", "1.36 USDC"],
    ["of what was requested until then", { gateway_amount: null, amount: "100.00" }, "5.00", "0.68 USDC"],
    ["of a tiny figure", { payment_amount: "0.00000050000000" }, "5.00", "0.00000005 USDC"],
    ["of no coin", { payment_amount: null, payment_currency: null }, "5.00", null],
    ["of a received zero", { gateway_amount: "0.00" }, "5.00", null],
  ])("is a sum at the rate %s", (_, changes, sum, expected) => {
    expect(inCoin({ ...paid, ...changes }, sum)).toBe(expected)
  })
})

describe("paidOtherwise", () => {
  it.each([
    ["less", { gateway_amount: "0.01000000000000" }, "0.01 USD"],
    ["a little less", { gateway_amount: "20.00999999999999" }, "20.00999999999999 USD"],
    ["more by the last of fourteen digits", { gateway_amount: "20.01000000000001" }, "20.01000000000001 USD"],
    ["more", { gateway_amount: "1200.10000000000000" }, "1,200.10 USD"],
    ["another currency", { gateway_currency_symbol: "aed" }, "20.01 AED"],
  ])("says what came when it is %s", (_, came, said) => {
    expect(paidOtherwise({ ...payment, ...came })).toBe(said)
  })

  it.each([
    ["that is what was asked for", {}],
    ["only the currency's case differs", { gateway_currency_symbol: "usd" }],
    ["the row does not have the gateway's currency", { gateway_currency_symbol: null }],
    ["the row does not have the gateway's amount", { gateway_amount: null }],
    ["nothing was paid, whatever the gateway asks", { paid_at: null, gateway_amount: "5.00" }],
  ])("says nothing when %s", (_, came) => {
    expect(paidOtherwise({ ...payment, ...came })).toBeNull()
  })
})

/** Too little was received for a cart. */
const mismatched = {
  ...payment,
  gateway_amount: "15.00000000000000",
  attention_reason: "amount_mismatch",
  attention_resolved_at: null,
  attention_amount: null,
  attention_detail: null,
  provider_id: "pp_crypto_default",
  cart_id: "cart_1",
  order_id: null,
  captured_at: null,
  refund_registered_at: null,
  duplicate_of: null,
  is_unused: true,
  can_make_draft: true,
} as CryptoPayment

const LEFT = { attention_detail: { order_id: "order_1" } }

describe("caseWords", () => {
  const said = (key: string, { amount = "" }: { amount?: string }) => `${key} ${amount}`.trim()
  beforeAll(() => setI18n({ getFixedT: () => said } as never))
  const wordsOf = (facts: object) => caseWords({ ...mismatched, ...facts })

  it.each([
    ["attention.tooLittle 5.01 USD attention.noOrder", {}],
    ["attention.tooMuch 4.99 USD attention.noOrder", { gateway_amount: "25.00000000000000" }],
    // Sums of two currencies are not compared.
    ["attention.otherCurrency attention.noOrder", { gateway_currency_symbol: "AED" }],
    ["attention.tooLittle 5.01 USD", { order_id: "order_1" }],
    // What a role that may not read orders is given.
    ["attention.tooLittle 5.01 USD", { cart_id: null }],
    ["", { captured_at: "2026-11-21T10:00:00Z" }],
    ["", { attention_reason: "orphan_paid" }],
    ["widget.owed 15.01 USD", { attention_reason: "order_underpaid", attention_amount: "15.01" }],
    ["attention.excess 4.99 USD", { attention_reason: "order_overpaid", attention_amount: "4.99" }],
    ["attention.orderLeft", { attention_reason: "orphan_paid", ...LEFT }],
    ["attention.orderLeft", { attention_reason: "paid_without_order", can_make_draft: false, ...LEFT }],
    // The money has an order by now.
    ["", { attention_reason: "orphan_paid", can_make_draft: false, ...LEFT }],
    ["attention.paidAnotherWay", { attention_reason: "duplicate_payment" }],
    ["", { attention_reason: "duplicate_payment", duplicate_of: "cpreq_2" }],
  ])("has %j as its own, with %j", (own, facts) => {
    expect(wordsOf(facts).own).toBe(own)
  })

  it("leaves out what the order owes where that is shown above", () => {
    const underpaid = {
      ...mismatched,
      attention_reason: "order_underpaid" as const,
      attention_amount: "15.01",
    }
    expect(caseWords(underpaid, true).own).toBe("")
  })

  it("says the same of all cases of a reason, whatever their amounts", () => {
    const [one, other] = ["5.00", "7.00"].map((gateway_amount) => wordsOf({ gateway_amount }))
    expect([one?.meaning, one?.todo]).toEqual([other?.meaning, other?.todo])
  })

  it.each([
    ["attention.todoDraft attention.orUse", {}],
    ["attention.todoDraft", { is_unused: false }],
    ["attention.todoUse", { can_make_draft: false }],
    // A payment of the gateway's list that nobody here knows has no cart and no order.
    ["attention.todoUse", { can_make_draft: false, cart_id: null, gateway_amount: "20.01000000000000" }],
    // Other money than was requested is never captured by itself, and after a part was sent back none is.
    ["attention.todoDraft attention.orCheck attention.orUse", { gateway_amount: "20.01000000000000" }],
    [
      "attention.reasons.orphan_paid.todo",
      { attention_reason: "orphan_paid", can_make_draft: false, is_unused: false },
    ],
    ["attention.reasons.amount_mismatch.todo", { can_make_draft: false, is_unused: false }],
    ["attention.reasons.duplicate_payment.todo attention.orUse", { attention_reason: "duplicate_payment" }],
    [
      "attention.reasons.paid_without_order.todo attention.orDraft",
      { attention_reason: "paid_without_order" },
    ],
    [
      "attention.reasons.paid_without_order.todo",
      { attention_reason: "paid_without_order", can_make_draft: false },
    ],
    [
      "attention.todoPartOfCart",
      { attention_reason: "partly_paid", can_make_draft: false, is_unused: false },
    ],
  ])("advises only what the case offers: %s", (todo, facts) => {
    expect(wordsOf(facts).todo).toBe(todo)
  })
})

describe("givesLink", () => {
  it.each([
    [true, { attention_reason: "order_underpaid", order_id: "order_1" }],
    [true, { attention_reason: "partly_paid", order_id: "order_1" }],
    [false, { attention_reason: "partly_paid", order_id: null }],
    [false, { attention_reason: "duplicate_payment", order_id: "order_1" }],
    [
      false,
      { attention_reason: "order_underpaid", order_id: "order_1", attention_resolved_at: "2026-11-21" },
    ],
  ])("is %s with %j", (gives, facts) => {
    expect(givesLink({ ...mismatched, ...facts } as CryptoPayment)).toBe(gives)
  })
})

describe("isWaitingForCapture", () => {
  it.each([
    [true, { state: "paid" }],
    [false, { state: "captured", captured_at: "2026-11-21T10:00:00Z" }],
    [false, { state: "paid", captured_at: "2026-11-21T10:00:00Z" }],
  ] as [boolean, Partial<CryptoPayment>][])("is %s with %j", (waits, facts) => {
    expect(isWaitingForCapture({ ...mismatched, ...facts })).toBe(waits)
  })
})

describe("likeliestStep", () => {
  it.each([
    ["draft", {}],
    ["use", { can_make_draft: false }],
    // Another order than its own is hardly the right one.
    ["refund", { can_make_draft: false, order_id: "order_1" }],
    ["use", { can_make_draft: false, order_id: "order_1", attention_reason: "orphan_paid" }],
    ["refund", { can_make_draft: false, is_unused: false }],
    ["refund", { attention_reason: "duplicate_payment" }],
    ["refund", { attention_reason: "order_overpaid" }],
    ["link", { attention_reason: "order_underpaid" }],
    ["check", { attention_reason: "paid_without_order" }],
    [null, { attention_resolved_at: "2026-11-21T10:00:00Z" }],
  ] as [string | null, Partial<CryptoPayment>][])("is %s with %j", (step, facts) => {
    expect(likeliestStep({ ...mismatched, ...facts })).toBe(step)
  })
})
