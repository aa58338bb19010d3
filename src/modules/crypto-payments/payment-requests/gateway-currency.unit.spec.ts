import { OPEN_ROW } from "../../../decision/example-row.spec"
import { gatewayCurrency } from "./request-sql"

describe("gatewayCurrency", () => {
  it.each([
    ["AED", "aed"],
    ["aEd", "aed"],
    ["EUR", "eur"],
    ["", "usd"],
    [null, "usd"],
  ])("is, with %j of the gateway's, %s", (gateway_currency_symbol, currency) => {
    expect(gatewayCurrency({ ...OPEN_ROW, gateway_currency_symbol })).toBe(currency)
  })
})
