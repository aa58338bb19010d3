import { rememberCryptoPayment } from "./memory"
import { findCryptoSession, findReturn, resumeCryptoPayment } from "./resume-crypto-payment"
import { memoryStorage } from "./testing/memory-storage"
import { StoreDouble } from "./testing/store-double"

const URL_OF_RETURN = "https://shop.example/checkout/return?session_id=payses_1"

describe("findCryptoSession", () => {
  const find = async (payment_sessions: unknown[], cartId: string | undefined = "cart_1") => {
    const body = { cart: { payment_collection: { payment_sessions } } }
    const store = await StoreDouble.listen({ "GET /store/carts/cart_1": { body } })
    try {
      return await findCryptoSession(store.sdk, { cartId })
    } finally {
      await store.close()
    }
  }

  it("gives the session of a cart that pays with crypto", async () => {
    const sessions = [
      { provider_id: "pp_system_default", data: {} },
      { provider_id: "pp_crypto_other", data: { session_id: "payses_1" } },
    ]
    expect(await find(sessions)).toBe("payses_1")
  })

  it("gives none of a cart that pays otherwise, of an unknown one, and without one", async () => {
    expect(await find([{ provider_id: "pp_system_default", data: {} }])).toBeUndefined()
    expect(await find([], "cart_2")).toBeUndefined()
    expect(await findCryptoSession({} as never, { cartId: undefined })).toBeUndefined()
  })
})

describe("findReturn", () => {
  it("takes the session from the URL and the cart from its own memory", () => {
    const storage = memoryStorage()
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" }, storage)
    expect(findReturn({ url: URL_OF_RETURN, storage })).toEqual({ sessionId: "payses_1", cartId: "cart_1" })
  })

  it("never takes a cart from the URL", () => {
    const url = `${URL_OF_RETURN}&cart_id=cart_9&cartId=cart_9&status=paid#cart_id=cart_9`
    expect(findReturn({ url, storage: memoryStorage() })).toEqual({
      sessionId: "payses_1",
      cartId: undefined,
    })
  })

  it.each([
    "https://shop.example/#/return?session_id=payses_1",
    "https://shop.example/#/return?session_id=payses_1?payment_id=1",
    "https://shop.example/?payment_id=1#/return?session_id=payses_1",
    "https://shop.example/#/return?lang=ar&session_id=payses_1&payment_id=1",
    `${URL_OF_RETURN}?payment_id=1`,
    `${URL_OF_RETURN}&payment_id=1`,
    `${URL_OF_RETURN}%3Fpayment_id%3D1`,
    `${URL_OF_RETURN}#top`,
    "/x#?session_id=payses_1",
    "https://shop.example/#/return/payses_1",
    "https://shop.example/return/payses_1?payment_id=1",
    "https://shop.example/return#session_id=payses_1",
    "https://shop.example/return?payment=payses_1",
    "https://shop.example/return%3Fsession_id%3Dpayses_1",
  ])("finds the session with a hash router, and behind what the gateway appends: %s", (url) => {
    expect(findReturn({ url, storage: memoryStorage() })).toEqual({
      sessionId: "payses_1",
      cartId: undefined,
    })
  })

  it("prefers what it remembers of this session to the cart of today", () => {
    const storage = memoryStorage()
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" }, storage)
    expect(findReturn({ url: URL_OF_RETURN, storage, cartId: "cart_2" })?.cartId).toBe("cart_1")
  })

  it("prefers the shop's cart to what it remembers of another session", () => {
    const storage = memoryStorage()
    rememberCryptoPayment({ sessionId: "payses_0", cartId: "cart_0" }, storage)
    expect(findReturn({ url: URL_OF_RETURN, storage, cartId: "cart_2" })?.cartId).toBe("cart_2")
  })

  it.each([
    "https://shop.example/checkout/return",
    "https://shop.example/?session_id=",
    "https://shop.example/?session_id=order_1",
    undefined,
  ])("finds nothing in %s", (url) => {
    expect(findReturn({ url, storage: memoryStorage() })).toBeUndefined()
  })
})

describe("resumeCryptoPayment", () => {
  let store: StoreDouble
  beforeEach(async () => {
    store = await StoreDouble.listen({
      "GET /store/crypto-payments/payses_1": { body: { status: "paid", order_id: "order_1" } },
    })
  })
  afterEach(async () => {
    await store.close()
  })

  it("says unknown of a URL that names no payment, without asking", async () => {
    const outcome = await resumeCryptoPayment(store.sdk, {
      url: "/checkout/return",
      storage: memoryStorage(),
    })
    expect([outcome.outcome, store.seen]).toEqual(["unknown", []])
  })

  it("waits for the order of the cart it remembers", async () => {
    const storage = memoryStorage()
    rememberCryptoPayment({ sessionId: "payses_1", cartId: "cart_1" }, storage)
    const outcome = await resumeCryptoPayment(store.sdk, { url: URL_OF_RETURN, storage })
    expect(outcome).toMatchObject({ outcome: "paid", orderId: "order_1" })
    expect(store.seen[0]).toMatchObject({
      url: "/store/crypto-payments/payses_1",
      headers: { "x-cart-id": "cart_1" },
    })
  })
})
