import { createElement } from "react"
import { renderToString } from "react-dom/server"
import type { StorefrontSdk } from "../index"
import { CryptoPayButton, CryptoPayOrder, CryptoPaymentDeadline, CryptoPaymentReturn } from "./index"

const fetchFromStore = jest.fn()
const sdk: StorefrontSdk = { client: { fetch: fetchFromStore } }

describe("on a server", () => {
  it("the button is a button with its text", () => {
    const html = renderToString(createElement(CryptoPayButton, { sdk, cartId: "cart_1", className: "mine" }))
    expect(html).toContain('<button type="button" class="crypto-pay-button crypto-pay-wide mine"')
    expect(html).toContain(">Pay with crypto</button>")
  })

  it.each([
    [4.99, {}, /aria-disabled="true".*Crypto payments start at \u20665\.00 USD\u2069\.</s],
    [
      20.02,
      { hasOtherWays: true },
      /aria-disabled="true".*for \u206620\.01 USD\u2069 at most\. You can also choose another/s,
    ],
    [4.99, { language: "ar" }, /aria-disabled="true".*متاح ابتداءً من \u20665\.00 USD\u2069/s],
    [5, {}, /aria-disabled="false".*role="status"><\/p>/s],
    [undefined, {}, /aria-disabled="false".*role="status"><\/p>/s],
  ])("the button is off outside the limits, and says why: %j %j", (amount, props, expected) => {
    const limits = { currency_code: "usd", min: "5.00", max: "20.01" }
    const html = renderToString(createElement(CryptoPayButton, { sdk, amount, limits, ...props }))
    expect(html).toMatch(expected)
  })

  it.each(["en", "ar"])("a limit has its thousands grouped (%s)", (language) => {
    const limits = { currency_code: "usd", min: null, max: "1234567.50" }
    const html = renderToString(createElement(CryptoPayButton, { sdk, amount: 2e6, limits, language }))
    expect(html).toContain("\u20661,234,567.50 USD\u2069")
  })

  it("the return view waits, asks nobody and reads no URL", () => {
    const html = renderToString(createElement(CryptoPaymentReturn, { sdk, unstyled: true }))
    expect(html).toContain('data-view="waiting"')
    expect(html).not.toContain("<style")
    expect(fetchFromStore).not.toHaveBeenCalled()
  })

  it("Arabic is read from right to left", () => {
    const html = renderToString(createElement(CryptoPaymentReturn, { sdk, language: "ar" }))
    expect(html).toContain('<section dir="rtl"')
    expect(html).toContain("جارٍ تأكيد الدفع")
  })

  it("the time of an unpaid order is left to the browser, whose clock and time zone are the payer's", () => {
    const payUntil = "2020-01-01T00:00:00.000Z"
    expect(renderToString(createElement(CryptoPaymentDeadline, { payUntil }))).toBe("")
  })

  it("says what is missing", () => {
    expect(() => renderToString(createElement(CryptoPayButton, {}))).toThrow("give `sdk` or `prepare`")
    expect(() => renderToString(createElement(CryptoPaymentReturn, {}))).toThrow("give `sdk` or `read`")
    const order = createElement(CryptoPayOrder, { orderId: "order_1" })
    expect(() => renderToString(order)).toThrow("give `sdk` or `read`")
  })
})
