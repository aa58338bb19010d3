import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { CryptoPayOrder, type CryptoOrderShown } from "./index"

const state = { isReading: false, readAgain: () => undefined }
let shown: CryptoOrderShown
jest.mock("./use-crypto-order", () => ({ useCryptoOrder: () => shown }))

const render = (props: object = {}) =>
  renderToString(
    createElement(CryptoPayOrder, { orderId: "order_1", read: jest.fn(), prepare: jest.fn(), ...props })
  )

describe("the order's page", () => {
  it.each([
    ["to_pay", "en", "1,234.50\u00a0USD", "Pay with crypto"],
    ["rest_to_pay", "en", "The rest to pay", "Pay the rest"],
    ["partial", "en", "Part of your payment has arrived", "Pay the rest"],
    ["to_pay", "ar", "1,234.50\u00a0USD", "الدفع بالعملات المشفرة"],
    ["rest_to_pay", "ar-AE", "الباقي المطلوب دفعه", "ادفع الباقي"],
  ] as const)("that is %s (%s) says %s and has the button %s", (view, language, words, button) => {
    const open = { number: 7, owed: 1234.5, currencyCode: "usd", paymentCollectionId: "pay_col_1" }
    shown = { ...state, ...open, state: view }
    const html = render({ language })
    expect(html).toContain("<bdi>#<!-- -->7</bdi>")
    expect(html.replace(/<!-- -->/g, "")).toContain(words)
    expect(html).toContain(`>${button}</button>`)
  })

  it.each([
    ["loading", false],
    ["to_pay", false],
    ["waiting", true],
    ["review", true],
    ["paid", false],
    ["partially_refunded", false],
    ["refunded", false],
    ["canceled", false],
    ["unknown", false],
    ["unreachable", true],
  ] as const)("that is %s and has nothing to be paid offers to check again: %s", (view, checksAgain) => {
    shown = { ...state, state: view }
    const html = render()
    expect(html).toContain(`data-view="${view}"`)
    expect([html.includes("<button"), html.includes("Check again")]).toEqual([checksAgain, checksAgain])
  })

  it.each([
    ["paid", "en", "Paid"],
    ["paid", "ar", "مدفوع"],
    ["unknown", "en", "There is no such order"],
    ["unknown", "ar", "لا يوجد طلب كهذا"],
  ] as const)("that is %s (%s) speaks of the order and not of a payment", (view, language, title) => {
    shown = { ...state, state: view }
    expect(render({ language })).toContain(`<h2 tabindex="-1">${title}</h2>`)
  })

  it("shows what the shop adds only of an order that exists", () => {
    shown = { ...state, state: "unknown" }
    expect(render({ children: "1 coffee" })).not.toContain("1 coffee")
    shown = { ...state, state: "paid", number: 7 }
    expect(render({ children: "1 coffee" })).toContain("1 coffee")
  })
})
