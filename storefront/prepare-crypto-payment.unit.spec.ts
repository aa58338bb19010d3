import { prepareCryptoPayment, safePrepareCryptoPayment } from "./prepare-crypto-payment"
import { StoreDouble, type StoreAnswer } from "./testing/store-double"

const COLLECTIONS = "POST /store/payment-collections"
const SESSIONS = "POST /store/payment-collections/pay_col_1/payment-sessions"
const COMPLETE = "POST /store/carts/cart_1/complete"

const session = (id: string, provider_id = "pp_crypto_default") => ({
  provider_id,
  data: { session_id: id, payment_link: `https://pay.example/${id}` },
})
const collection = (...payment_sessions: unknown[]): StoreAnswer => ({
  body: { payment_collection: { id: "pay_col_1", payment_sessions } },
})
const REFUSED: StoreAnswer = { status: 400, body: { type: "not_allowed", message: "This is already paid." } }

describe("prepareCryptoPayment", () => {
  let store: StoreDouble
  const listen = async (answers: Record<string, StoreAnswer>) => {
    store = await StoreDouble.listen({
      [COLLECTIONS]: collection(),
      [SESSIONS]: collection(session("payses_1")),
      ...answers,
    })
    return store.sdk
  }
  afterEach(async () => {
    await store.close()
  })

  it("makes the collection and the session and gives the link", async () => {
    const sdk = await listen({})
    expect(await prepareCryptoPayment(sdk, { cartId: "cart_1" })).toEqual({
      status: "open",
      sessionId: "payses_1",
      paymentLink: "https://pay.example/payses_1",
      cartId: "cart_1",
      orderId: undefined,
    })
    expect(store.seen.map(({ method, url, body }) => [`${method} ${url}`, body])).toEqual([
      [COLLECTIONS, { cart_id: "cart_1" }],
      [SESSIONS, { provider_id: "pp_crypto_default" }],
    ])
  })

  it("returns to a server action what it would throw", async () => {
    const sdk = await listen({ [SESSIONS]: REFUSED })
    expect(await safePrepareCryptoPayment(sdk, { cartId: "cart_1" })).toEqual({
      status: "failed",
      code: "refused",
    })
    await store.close()
    expect(await safePrepareCryptoPayment(sdk, { cartId: "cart_1" })).toEqual({
      status: "failed",
      code: "unreachable",
    })
  })

  it("takes the collection of an order", async () => {
    const sdk = await listen({})
    const { sessionId } = await prepareCryptoPayment(sdk, { paymentCollectionId: "pay_col_1" })
    expect(sessionId).toBe("payses_1")
    expect(store.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([SESSIONS])
  })

  it("takes the session of the provider it asked for", async () => {
    const sdk = await listen({
      [SESSIONS]: collection(
        session("payses_0", "pp_system_default"),
        session("payses_2", "pp_crypto_other")
      ),
    })
    const prepared = await prepareCryptoPayment(sdk, { cartId: "cart_1", providerId: "pp_crypto_other" })
    expect(prepared.sessionId).toBe("payses_2")
  })

  it("throws no_payment_link for a provider that gives none", async () => {
    const sdk = await listen({ [SESSIONS]: collection({ provider_id: "pp_crypto_default", data: {} }) })
    await expect(prepareCryptoPayment(sdk, { cartId: "cart_1" })).rejects.toMatchObject({
      code: "no_payment_link",
    })
  })

  it.each([
    ["refused", 400],
    ["unreachable", 500],
  ])("throws %s for HTTP %i, with the shop's sentence for developers", async (code, status) => {
    const sdk = await listen({ [COLLECTIONS]: { status, body: { message: "The cart is gone." } } })
    await expect(prepareCryptoPayment(sdk, { cartId: "cart_1" })).rejects.toMatchObject({
      code,
      message: "The cart is gone.",
    })
  })

  it("throws nothing_to_pay for a cart that costs nothing, and asks for no session", async () => {
    const sdk = await listen({
      [COLLECTIONS]: { body: { payment_collection: { id: "pay_col_1", amount: 0 } } },
    })
    await expect(prepareCryptoPayment(sdk, { cartId: "cart_1" })).rejects.toMatchObject({
      code: "nothing_to_pay",
    })
    expect(store.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([COLLECTIONS])
  })

  it("throws unreachable when nobody listens", async () => {
    const sdk = await listen({})
    await store.close()
    await expect(prepareCryptoPayment(sdk, { cartId: "cart_1" })).rejects.toMatchObject({
      code: "unreachable",
    })
  })

  it.each(["processing", "paid"])(
    "finds the payment that is %s already instead of a second one",
    async (status) => {
      const sdk = await listen({
        [COLLECTIONS]: collection(session("payses_0")),
        [SESSIONS]: REFUSED,
        "GET /store/crypto-payments/payses_0": { body: { status, order_id: "order_1" } },
      })
      expect(await prepareCryptoPayment(sdk, { cartId: "cart_1" })).toEqual({
        status: "already_paid",
        sessionId: "payses_0",
        cartId: "cart_1",
        orderId: "order_1",
      })
    }
  )

  it("finds that an order was paid meanwhile by the sessions its page has", async () => {
    const sdk = await listen({
      [SESSIONS]: REFUSED,
      "GET /store/crypto-payments/payses_0": { body: { status: "paid" } },
    })
    const paymentSessions = [{ provider_id: "pp_system_default", data: {} }, session("payses_0")]
    expect(
      await prepareCryptoPayment(sdk, { paymentCollectionId: "pay_col_1", paymentSessions })
    ).toMatchObject({ status: "already_paid", sessionId: "payses_0" })
  })

  it("gives the link of which a part has arrived for the rest", async () => {
    const sdk = await listen({
      [COLLECTIONS]: collection(session("payses_0")),
      [SESSIONS]: REFUSED,
      "GET /store/crypto-payments/payses_0": { body: { status: "awaiting_payment", part_arrived: true } },
    })
    expect(await prepareCryptoPayment(sdk, { cartId: "cart_1" })).toEqual({
      status: "open",
      sessionId: "payses_0",
      paymentLink: session("payses_0").data.payment_link,
      cartId: "cart_1",
    })
  })

  it("hands on the refusal when nothing was paid", async () => {
    const sdk = await listen({
      [COLLECTIONS]: collection(session("payses_0")),
      [SESSIONS]: REFUSED,
      "GET /store/crypto-payments/payses_0": { body: { status: "awaiting_payment" } },
    })
    await expect(prepareCryptoPayment(sdk, { cartId: "cart_1" })).rejects.toMatchObject({ code: "refused" })
  })

  it("places the order before the payer leaves, when told to", async () => {
    const sdk = await listen({ [COMPLETE]: { body: { type: "order", order: { id: "order_1" } } } })
    const { orderId } = await prepareCryptoPayment(sdk, { cartId: "cart_1", placeOrderFirst: true })
    expect(orderId).toBe("order_1")
    expect(store.seen.at(-1)?.url).toBe("/store/carts/cart_1/complete")
  })

  it("sends nobody to pay for an order that was not placed", async () => {
    const sdk = await listen({ [COMPLETE]: { body: { type: "cart", error: { message: "Out of stock." } } } })
    const preparing = prepareCryptoPayment(sdk, { cartId: "cart_1", placeOrderFirst: true })
    await expect(preparing).rejects.toMatchObject({ code: "order_not_placed", message: "Out of stock." })
  })

  it("acts for the customer whose authorization it is given", async () => {
    const sdk = await listen({})
    await prepareCryptoPayment(sdk, { cartId: "cart_1", headers: { authorization: "Bearer jwt" } })
    expect(store.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer jwt", "Bearer jwt"])
  })
})
