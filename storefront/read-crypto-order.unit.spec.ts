import { readCryptoOrder } from "./read-crypto-order"
import { StoreDouble, type StoreAnswer } from "./testing/store-double"

const PATH = "/store/orders/order_1"
const STATUS = "/store/crypto-payments/payses_1"
const CUSTOMER = { customer: { email: "payer@example.test", phone: "+971500000000" } }
/** Core gives them whole. */
const SESSIONS = [
  { id: "payses_0", provider_id: "pp_card_default", data: { client_secret: "s" }, context: CUSTOMER },
  {
    id: "payses_1",
    provider_id: "pp_crypto_default",
    data: { session_id: "payses_1", payment_link: "https://pay.example/1", amount: "35.02" },
    context: CUSTOMER,
  },
]
const OPEN = { id: "pay_col_2", status: "not_paid", amount: 35.02, payment_sessions: SESSIONS }
const PAID = { id: "pay_col_1", status: "completed", amount: 35.02, payment_sessions: [] }
const CANCELED = { id: "pay_col_1", status: "canceled", amount: 35.02, payment_sessions: [] }

/** As core answers of an order of 35.02 USD; of what was paid and not sent back, it gives the sum. */
const order = (payment_status: string, received: number, more: object = {}) => ({
  id: "order_1",
  display_id: 7,
  status: "pending",
  currency_code: "usd",
  total: 35.02,
  payment_status,
  summary: { transaction_total: received },
  payment_collections: [PAID],
  ...more,
})

describe("readCryptoOrder", () => {
  let store: StoreDouble
  const read = async (
    answer: StoreAnswer,
    status: StoreAnswer = { body: { status: "awaiting_payment" } },
    paymentCollectionId?: string
  ) => {
    store = await StoreDouble.listen({ [`GET ${PATH}`]: answer, [`GET ${STATUS}`]: status })
    return await readCryptoOrder(store.sdk, { orderId: "order_1", paymentCollectionId })
  }
  afterEach(async () => {
    await store.close()
  })

  it("asks for nothing of the customer", async () => {
    await read({ body: { order: order("captured", 35.02) } })
    expect(store.seen.map(({ url }) => decodeURIComponent(url))).toEqual([
      `${PATH}?fields=display_id,status,payment_status,currency_code,total,summary,*payment_collections.payment_sessions`,
    ])
  })

  it.each([
    ["captured", 35.02, {}, "paid"],
    ["captured", 45, {}, "paid"],
    ["not_paid", 0, { total: 0 }, "paid"],
    ["captured", 35.017, {}, "paid"],
    ["captured", 35.01, { payment_collections: [OPEN] }, "paid"],
    ["authorized", 0, {}, "waiting"],
    ["partially_authorized", 0, {}, "waiting"],
    ["partially_refunded", 30.02, {}, "partially_refunded"],
    ["refunded", 0, {}, "refunded"],
    ["refunded", 0, { status: "canceled" }, "refunded"],
    ["captured", 35.02, { status: "canceled" }, "canceled"],
    ["authorized", 0, { status: "canceled" }, "canceled"],
    ["not_paid", 0, { status: "canceled", payment_collections: [OPEN] }, "canceled"],
    // Cancelled before it was archived.
    ["canceled", 0, { status: "archived", payment_collections: [CANCELED] }, "canceled"],
    ["captured", 35.02, { status: "archived" }, "paid"],
    ["not_paid", 0, { status: "archived", payment_collections: [OPEN] }, "to_pay"],
    // Every collection is paid, and they ask for less than the order costs.
    ["captured", 15.01, {}, "rest_to_pay"],
    ["captured", 0, {}, "waiting"],
    ["not_paid", 0, {}, "to_pay"],
    ["partially_captured", 20.01, {}, "rest_to_pay"],
    // Core lowers a collection to nothing, and the order owes until what it was lowered for has come back.
    ["captured", 15.01, { payment_collections: [PAID, { ...OPEN, amount: 0 }] }, "rest_to_pay"],
  ])(
    "an order that is %s, with %d received (%j), is %s and cannot be paid",
    async (status, received, more, state) => {
      expect(await read({ body: { order: order(status, received, more) } })).toEqual({
        state,
        number: 7,
        currencyCode: "usd",
      })
    }
  )

  it.each([
    ["not_paid", 0, "to_pay", 35.02],
    ["partially_captured", 20.01, "rest_to_pay", 15.01],
    ["partially_refunded", 20.01, "rest_to_pay", 15.01],
    ["partially_authorized", 0, "to_pay", 35.02],
  ])(
    "is paid in its open collection when it is %s, with %d received",
    async (status, received, state, owed) => {
      const body = { order: order(status, received, { payment_collections: [PAID, OPEN] }) }
      const until = "2026-11-22T12:00:00.000Z"
      const kept = { body: { status: "awaiting_payment", order_kept: true, pay_until: until } }
      expect(await read({ body }, kept, "pay_col_1")).toEqual({
        state,
        number: 7,
        owed,
        currencyCode: "usd",
        paymentCollectionId: "pay_col_2",
        paymentSessions: [
          {
            provider_id: "pp_crypto_default",
            data: { session_id: "payses_1", payment_link: "https://pay.example/1" },
          },
        ],
        payUntil: until,
      })
    }
  )

  it.each([
    ["authorized by card and then raised", 50.03, 0, 15.01, 15.01],
    ["of which core deducts what is to come back for an exchange", 40.01, 20.01, 4.99, 4.99],
    ["of which the merchant asks for a part", 35.02, 0, 10, 10],
    ["whose collection asks for more than it owes", 35.02, 20.01, 35.02, 15.01],
    ["whose total has more decimals than its currency", 11.786775, 0, 11.786775, 11.79],
    ["whose half a coin is rounded up", 1.005, 0, 1.005, 1.01],
    ["that owes two coins", 35.02, 35, 35.02, 0.02],
  ])("shows what the link asks for of an order %s", async (_, total, received, amount, owed) => {
    const more = { total, payment_collections: [PAID, { ...OPEN, amount }] }
    expect((await read({ body: { order: order("not_paid", received, more) } })).owed).toBe(owed)
  })

  it("is paid in the collection that is named, while that is open", async () => {
    const collections = [OPEN, { ...OPEN, id: "pay_col_3" }]
    const body = { order: order("not_paid", 0, { payment_collections: collections }) }
    expect((await read({ body }, {}, "pay_col_3")).paymentCollectionId).toBe("pay_col_3")
  })

  it.each([
    [{ status: "processing" }, "waiting", undefined],
    [{ status: "paid" }, "waiting", undefined],
    [{ status: "processing", review: true }, "review", undefined],
    [{ status: "awaiting_payment", part_arrived: true }, "partial", "pay_col_2"],
    [{ status: "failed" }, "to_pay", "pay_col_2"],
  ])("of which the store says %j is %s, and is paid in %s", async (status, state, paymentCollectionId) => {
    const body = { order: order("not_paid", 0, { payment_collections: [OPEN] }) }
    const found = await read({ body }, { body: status })
    expect([found.state, found.paymentCollectionId]).toEqual([state, paymentCollectionId])
  })

  it("can be paid when the store says nothing of its payment", async () => {
    const body = { order: order("not_paid", 0, { payment_collections: [OPEN] }) }
    expect((await read({ body }, { status: 503 })).state).toBe("to_pay")
  })

  it.each([400, 401, 404])("is unknown after %d", async (status) => {
    expect(await read({ status })).toEqual({ state: "unknown" })
  })

  it.each([429, 500, 503])("throws that the store does not answer after %d", async (status) => {
    await expect(read({ status })).rejects.toMatchObject({ code: "unreachable" })
  })
})
