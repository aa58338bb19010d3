import { readCryptoOrder } from "./read-crypto-order"
import { StoreDouble, type StoreAnswer } from "./testing/store-double"

const PATH = "/store/orders/order_1"
const STATUS = "/store/crypto-payments/payses_1"
const SESSIONS = [
  { provider_id: "pp_system_default", data: {} },
  { provider_id: "pp_crypto_default", data: { session_id: "payses_1" } },
]
const OPEN = { id: "pay_col_2", status: "not_paid", payment_sessions: SESSIONS }
const PAID = { id: "pay_col_1", status: "completed", payment_sessions: [] }

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
    ["authorized", 0, {}, "waiting"],
    ["partially_authorized", 0, {}, "waiting"],
    ["partially_refunded", 30.02, {}, "partially_refunded"],
    ["refunded", 0, {}, "refunded"],
    ["refunded", 0, { status: "canceled" }, "refunded"],
    ["captured", 35.02, { status: "canceled" }, "canceled"],
    ["authorized", 0, { status: "canceled" }, "canceled"],
    [
      "awaiting",
      0,
      { status: "canceled", payment_collections: [{ id: "pay_col_2", status: "awaiting" }] },
      "canceled",
    ],
    // Lowered below what was paid: core asks for nothing in the collection that it had made for more.
    ["captured", 35.02, { payment_collections: [{ id: "pay_col_2", status: "not_paid" }] }, "paid"],
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
    ["partially_captured", 20.01, "partly_paid", 15.01],
  ])("an order that is %s, with %d received, is %s: %d", async (status, received, state, owed) => {
    const expected = { state, number: 7, owed, currencyCode: "usd" }
    expect(await read({ body: { order: order(status, received) } })).toEqual(expected)
  })

  it.each([
    ["not_paid", 0, "to_pay", 35.02],
    ["partially_captured", 20.01, "partly_paid", 15.01],
    ["partially_refunded", 20.01, "partly_paid", 15.01],
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
        paymentSessions: SESSIONS,
        payUntil: until,
      })
    }
  )

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
