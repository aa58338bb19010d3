import { forgetCryptoPayments, recallCryptoPayment, rememberCryptoPayment } from "./memory"
import { memoryStorage } from "./testing/memory-storage"

const DAY_MS = 24 * 60 * 60 * 1000

describe("remembering a payment", () => {
  it("gives each of two tabs its own cart", () => {
    const storage = memoryStorage()
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" }, storage)
    rememberCryptoPayment({ sessionId: "payses_2", cartId: "cart_2" }, storage)
    expect(recallCryptoPayment("payses_1", storage)?.cartId).toBe("cart_1")
    expect(recallCryptoPayment("payses_2", storage)?.cartId).toBe("cart_2")
  })

  it("offers the last cart for a session it does not know", () => {
    const storage = memoryStorage()
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" }, storage, 1)
    rememberCryptoPayment({ sessionId: "payses_2", cartId: "cart_2" }, storage, 2)
    expect(recallCryptoPayment("payses_0", storage, 3)?.cartId).toBe("cart_2")
  })

  it("forgets after thirty days", () => {
    const storage = memoryStorage()
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" }, storage, 0)
    expect(recallCryptoPayment("payses_1", storage, 30 * DAY_MS - 1)).toBeDefined()
    expect(recallCryptoPayment("payses_1", storage, 30 * DAY_MS)).toBeUndefined()
  })

  it("keeps the last eight", () => {
    const storage = memoryStorage()
    for (let number = 1; number <= 9; number++) {
      rememberCryptoPayment({ sessionId: `payses_${number}`, cartId: `cart_${number}` }, storage)
    }
    expect(recallCryptoPayment("payses_2", storage)?.cartId).toBe("cart_2")
    expect(recallCryptoPayment("payses_1", storage)?.cartId).toBe("cart_9")
  })

  it("forgets all when told to", () => {
    const storage = memoryStorage()
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" }, storage)
    forgetCryptoPayments(storage)
    expect(recallCryptoPayment("payses_1", storage)).toBeUndefined()
  })

  it("survives a storage that refuses", () => {
    const refuse = () => {
      throw new Error("QuotaExceededError")
    }
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse }
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" }, storage)
    forgetCryptoPayments(storage)
    expect(recallCryptoPayment("payses_1", storage)).toBeUndefined()
  })

  it.each(["{", "null", "{}", '[null,{"sessionId":1}]'])("survives what somebody else wrote: %s", (text) => {
    const storage = { ...memoryStorage(), getItem: () => text }
    expect(recallCryptoPayment("payses_1", storage)).toBeUndefined()
  })

  it("does without a browser", () => {
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" })
    expect(recallCryptoPayment("payses_1")).toBeUndefined()
  })
})
