import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { CryptoPaymentReturn, type CryptoPaymentReturnState } from "./index"

const state = { isChecking: true, checkAgain: () => undefined }
let shown: CryptoPaymentReturnState
jest.mock("./use-crypto-payment-return", () => ({ useCryptoPaymentReturn: () => shown }))

const PLACED = "your order will be placed once the payment is confirmed"
const PAID = "your order will be marked as paid once the payment is confirmed"

describe("the return page", () => {
  it.each([
    ["waiting", "en", undefined, PLACED],
    ["waiting", "en", true, PAID],
    ["delayed", "en", undefined, PLACED],
    ["delayed", "en", true, PAID],
    ["delayed", "ar", undefined, "سيُنشأ طلبك حالما"],
    ["delayed", "ar", true, "سيصبح طلبك مدفوعًا"],
  ] as const)(
    "that is %s (%s) promises an order only if there is none: %s",
    (view, language, orderKept, text) => {
      shown = { ...state, view, orderKept }
      expect(renderToString(createElement(CryptoPaymentReturn, { language }))).toContain(text)
    }
  )

  it("takes the shop's own text, whether or not there is an order", () => {
    shown = { ...state, view: "waiting", orderKept: true }
    const texts = { waiting: { title: "Wait", text: "A moment, please." } }
    expect(renderToString(createElement(CryptoPaymentReturn, { texts }))).toContain(
      "<p>A moment, please.</p>"
    )
  })

  it.each([
    ["waiting", false, false],
    ["paid", false, false],
    ["unpaid", true, true],
    ["partial", true, true],
    ["failed", true, true],
    ["delayed", true, true],
    ["review", true, true],
    ["refunded", true, false],
    ["canceled", true, false],
    ["unknown", true, false],
  ] as const)(
    "that is %s has a reference and a way back: %s, and says that it still asks: %s",
    (view, hasWayBack, asks) => {
      shown = { ...state, view, sessionId: "payses_1" }
      const html = renderToString(createElement(CryptoPaymentReturn, { backUrl: "/cart" }))
      const parts = ["payses_1", 'href="/cart"', "Still checking"].map((part) => html.includes(part))
      expect(parts).toEqual([hasWayBack, hasWayBack, asks])
      shown = { ...shown, isChecking: false }
      expect(renderToString(createElement(CryptoPaymentReturn, {}))).not.toContain("Still checking")
    }
  )

  it("leads to the link for the rest of a payment", () => {
    shown = { ...state, view: "partial", paymentLink: "https://pay.example/1" }
    const html = renderToString(createElement(CryptoPaymentReturn, {}))
    expect(html).toMatch(/href="https:\/\/pay\.example\/1"[^>]*>Pay the rest</)
  })
})
