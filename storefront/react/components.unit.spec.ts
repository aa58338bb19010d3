import { createElement } from "react"
import { renderToString } from "react-dom/server"
import type { StorefrontSdk } from "../index"
import { CryptoPayButton, CryptoPaymentReturn } from "./index"

const fetchFromStore = jest.fn()
const sdk: StorefrontSdk = { client: { fetch: fetchFromStore } }

describe("on a server", () => {
  it("the button is a button with its text", () => {
    const html = renderToString(createElement(CryptoPayButton, { sdk, cartId: "cart_1", className: "mine" }))
    expect(html).toContain('<button type="button" class="crypto-pay-button crypto-pay-wide mine"')
    expect(html).toContain(">Pay with crypto</button>")
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

  it("says what is missing", () => {
    expect(() => renderToString(createElement(CryptoPayButton, {}))).toThrow("give `sdk` or `prepare`")
    expect(() => renderToString(createElement(CryptoPaymentReturn, {}))).toThrow("give `sdk` or `read`")
  })
})
