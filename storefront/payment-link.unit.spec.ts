import { goToPaymentLink, isSafePaymentLink } from "./payment-link"

describe("isSafePaymentLink", () => {
  it.each(["https://pay.example/p/1", "http://localhost:4010/pay/1", "HTTPS://pay.example"])(
    "takes %s",
    (link) => {
      expect(isSafePaymentLink(link)).toBe(true)
    }
  )

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "//pay.example",
    "/checkout",
    "https:///pay",
    "https:\\\\pay.example",
    "",
  ])("refuses %j", (link) => {
    expect(isSafePaymentLink(link)).toBe(false)
  })
})

describe("goToPaymentLink", () => {
  it("opens nothing when the link is no address of the web", () => {
    const navigate = jest.fn()
    expect(() => {
      goToPaymentLink("javascript:alert(1)", navigate)
    }).toThrow(expect.objectContaining({ code: "unsafe_payment_link" }))
    expect(navigate).not.toHaveBeenCalled()
  })
})
