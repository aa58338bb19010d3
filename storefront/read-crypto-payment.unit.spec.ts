import { isFinalStatus, readCryptoPayment } from "./read-crypto-payment"
import { StoreDouble, type StoreAnswer } from "./testing/store-double"

const PATH = "/store/crypto-payments/payses_1"

describe("readCryptoPayment", () => {
  let store: StoreDouble
  const listen = async (answer: StoreAnswer) => {
    store = await StoreDouble.listen({ [`GET ${PATH}`]: answer })
    return store.sdk
  }
  afterEach(async () => {
    await store.close()
  })

  it("asks with the cart in a header and not in the address, and the publishable key", async () => {
    const sdk = await listen({ body: { status: "paid" } })
    await readCryptoPayment(sdk, { sessionId: "payses_1", cartId: "cart_1" })
    expect(store.seen[0]).toMatchObject({
      method: "GET",
      url: PATH,
      headers: { "x-publishable-api-key": "pk_test", "x-cart-id": "cart_1" },
    })
  })

  it("asks without a cart when it knows none", async () => {
    const sdk = await listen({ body: { status: "paid" } })
    await readCryptoPayment(sdk, { sessionId: "payses_1" })
    expect(store.seen[0]?.url).toBe(PATH)
    expect(store.seen[0]?.headers["x-cart-id"]).toBeUndefined()
  })

  it("passes the customer's authorization on", async () => {
    const sdk = await listen({ body: { status: "paid" } })
    await readCryptoPayment(sdk, { sessionId: "payses_1", headers: { authorization: "Bearer jwt" } })
    expect(store.seen[0]?.headers.authorization).toBe("Bearer jwt")
  })

  it("reads all the shop says", async () => {
    const sdk = await listen({
      headers: { "retry-after": "5" },
      body: { status: "paid", order_id: "order_1", payment_link: "https://pay.example/1", review: true },
    })
    expect(await readCryptoPayment(sdk, { sessionId: "payses_1" })).toEqual({
      status: "paid",
      orderId: "order_1",
      paymentLink: "https://pay.example/1",
      review: true,
      retryAfterS: 5,
    })
  })

  it("reads that the order is cancelled", async () => {
    const sdk = await listen({ body: { status: "failed", order_canceled: true } })
    expect(await readCryptoPayment(sdk, { sessionId: "payses_1" })).toEqual({
      status: "failed",
      orderCanceled: true,
    })
  })

  it("reads that the last attempt did not go through", async () => {
    const sdk = await listen({ body: { status: "failed", attempt_failed: true } })
    expect(await readCryptoPayment(sdk, { sessionId: "payses_1" })).toMatchObject({
      status: "failed",
      attemptFailed: true,
    })
  })

  it("reads that the order is kept, and until when", async () => {
    const until = "2026-11-22T12:00:00.000Z"
    const sdk = await listen({ body: { status: "awaiting_payment", order_kept: true, pay_until: until } })
    expect(await readCryptoPayment(sdk, { sessionId: "payses_1" })).toMatchObject({
      orderKept: true,
      payUntil: until,
    })
  })

  it("reads that the money was sent back", async () => {
    const sdk = await listen({ body: { status: "failed", refunded: true } })
    expect(await readCryptoPayment(sdk, { sessionId: "payses_1" })).toMatchObject({
      status: "failed",
      refunded: true,
    })
  })

  it.each(["payses_1?payment_id=1", "payses_1&payment_id=1"])(
    "asks for the session of %s, to which the gateway appended its own parameter",
    async (sessionId) => {
      const sdk = await listen({ body: { status: "paid" } })
      expect((await readCryptoPayment(sdk, { sessionId })).status).toBe("paid")
    }
  )

  it("says unknown to an id nobody knows", async () => {
    const sdk = await listen({ status: 404, body: { type: "not_found", message: "There is none." } })
    expect((await readCryptoPayment(sdk, { sessionId: "payses_1" })).status).toBe("unknown")
  })

  it.each(["../admin", "payses_1/../x", "?b=c", "", "x".repeat(101)])(
    "never asks for %j",
    async (sessionId) => {
      const sdk = await listen({ body: { status: "paid" } })
      expect((await readCryptoPayment(sdk, { sessionId })).status).toBe("unknown")
      expect(store.seen).toEqual([])
    }
  )

  it.each([
    ["refused", 400],
    ["refused", 401],
    ["unreachable", 408],
    ["unreachable", 429],
    ["unreachable", 500],
    ["unreachable", 503],
  ])("throws %s for HTTP %i", async (code, status) => {
    const sdk = await listen({ status, body: { message: "no" } })
    await expect(readCryptoPayment(sdk, { sessionId: "payses_1" })).rejects.toMatchObject({ code })
  })

  it.each([
    ["a page of HTML", "<html>"],
    ["a word it does not know", { status: "settled" }],
    ["nothing", "null"],
  ])("throws unreachable for %s", async (_name, body) => {
    const sdk = await listen({ body })
    await expect(readCryptoPayment(sdk, { sessionId: "payses_1" })).rejects.toMatchObject({
      code: "unreachable",
    })
  })

  it("throws unreachable when nobody listens", async () => {
    const sdk = await listen({})
    await store.close()
    await expect(readCryptoPayment(sdk, { sessionId: "payses_1" })).rejects.toMatchObject({
      code: "unreachable",
    })
  })

  it("throws the reason when it is called off", async () => {
    const sdk = await listen({ body: { status: "paid" } })
    const signal = AbortSignal.abort(new Error("left the page"))
    await expect(readCryptoPayment(sdk, { sessionId: "payses_1", signal })).rejects.toThrow("left the page")
  })
})

describe("isFinalStatus", () => {
  it.each([
    [{ status: "paid", orderId: "order_1" } as const, true],
    [{ status: "paid" } as const, true],
    [{ status: "paid", retryAfterS: 2 } as const, false],
    [{ status: "failed" } as const, true],
    [{ status: "failed", retryAfterS: 2 } as const, false],
    [{ status: "unknown" } as const, true],
    [{ status: "awaiting_payment" } as const, false],
    [{ status: "processing" } as const, false],
  ])("%j: %s", (status, final) => {
    expect(isFinalStatus(status)).toBe(final)
  })
})
