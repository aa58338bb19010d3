import type { CryptoPayment } from "../../http-contract"
import { gatewayCurrency, paidOtherwise } from "./payment"

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
