import { recallCryptoPayment } from "./memory"
import { leaveToPay } from "./start-crypto-payment"
import { memoryStorage } from "./testing/memory-storage"

const OPEN = {
  status: "open",
  sessionId: "payses_1",
  cartId: "cart_1",
  paymentLink: "https://pay.example/1",
} as const

describe("leaveToPay", () => {
  it("remembers the cart, then sends the payer to the link", () => {
    const storage = memoryStorage()
    const navigate = jest.fn((_link: string) => {
      expect(recallCryptoPayment("payses_1", storage)?.cartId).toBe("cart_1")
    })
    leaveToPay(OPEN, { storage, navigate })
    expect(navigate).toHaveBeenCalledWith("https://pay.example/1")
  })

  it("sends nobody to pay what is paid", () => {
    const storage = memoryStorage()
    const navigate = jest.fn()
    leaveToPay({ ...OPEN, status: "already_paid" }, { storage, navigate })
    expect(navigate).not.toHaveBeenCalled()
    expect(recallCryptoPayment("payses_1", storage)?.cartId).toBe("cart_1")
  })

  it.each([undefined, "javascript:alert(1)"])("opens no link like %s", (paymentLink) => {
    const navigate = jest.fn()
    expect(() => {
      leaveToPay({ ...OPEN, paymentLink }, { storage: memoryStorage(), navigate })
    }).toThrow(expect.objectContaining({ code: "unsafe_payment_link" }))
    expect(navigate).not.toHaveBeenCalled()
  })
})
