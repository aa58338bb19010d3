import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"
import en from "../../../src/admin/i18n/en.json"
import { PAID_OK, readEndState } from "../../support/end-state"
import { ledgerRow, placePaidOrder } from "../../support/paid-checkout"
import { OXABC, Refunds } from "../../support/refunds"
import { describeStore } from "../../support/store-under-test"

/** Core's own refund, which our gateway cannot make, ends with the button to press. */
const WAY_OUT = new RegExp(
  `section "${en.widget.title}" of the order and press "${en.actions.registerRefund}"\\.$`
)
const BUTTON = `"${en.actions.registerRefund}" in the section "${en.widget.title}"`

describeStore("refunds and cancellation", (store) => {
  const on = new Refunds(store)

  it("answers 400 to core's refund and cancel before a refund is registered, names the way out and writes nothing", async () => {
    const { cartId, orderId, paymentId } = await placePaidOrder(store)
    const refund = await on.post(`/payments/${paymentId}/refund`, { amount: 20.01 })
    expect([refund.status, refund.data.message]).toEqual([400, expect.stringMatching(WAY_OUT)])
    const cancel = await on.post(`/orders/${orderId}/cancel`)
    expect([cancel.status, cancel.data.message]).toEqual([400, expect.stringContaining(BUTTON)])
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    const order = await store.knex("order").where({ id: orderId }).first("status")
    expect(order.status).toBe("pending")
  })

  it("books a registered refund once, and then lets the order be cancelled (scenario 6)", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    const registered = await on.register(id, "20.01")
    const { data } = await store.http.get(`/admin/crypto-payments/${id}`, await store.admin())
    expect([registered.status, [registered.data.refund]]).toEqual([200, data.crypto_payment.refunds])
    expect((await on.post(`/orders/${orderId}/cancel`)).status).toBe(200)

    const state = await readEndState(store.knex, cartId)
    expect(state).toMatchObject({
      collection: { status: "canceled", captured: "20.01", refunded: "20.01" },
      captures: ["20.01"],
      refunds: ["20.01"],
      transactions: ["20.01", "-20.01"],
      ledger: [{ state: "refunded", attention: null }],
    })
    const order = await store.knex("order").where({ id: orderId }).first("status")
    expect(order.status).toBe("canceled")
  })

  it("books partial refunds one after the other, and keeps the order from being cancelled till the last", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    expect((await on.register(id, 5, "first")).status).toBe(200)
    expect((await on.post(`/orders/${orderId}/cancel`)).status).toBe(400)
    expect((await on.register(id, "15.01", "second")).status).toBe(200)

    const state = await readEndState(store.knex, cartId)
    expect([state.refunds, state.transactions, state.ledger[0]?.state]).toEqual([
      ["5.00", "15.01"],
      ["20.01", "-5.00", "-15.01"],
      "refunded",
    ])
    expect((await on.post(`/orders/${orderId}/cancel`)).status).toBe(200)
  })

  it("gives core the merchant's refund reason and note, and refuses a reason that Medusa does not have", async () => {
    const { id } = await placePaidOrder(store)
    const { refund_reason } = await on.must("/refund-reasons", { label: "Too late", code: "too_late" })
    const { id: refund_reason_id } = refund_reason as { id: string }
    const refund = { amount: "5.00", reference: "0xabc", note: "arrived broken" }
    const path = `/crypto-payments/${id}/refunds`
    const unknown = await on.post(path, { ...refund, refund_reason_id: "refr_gone" })
    expect([unknown.status, unknown.data.code]).toEqual([400, "unknown_refund_reason"])
    expect(await store.knex("crypto_payment_refund").pluck("id")).toEqual([])
    await on.must(path, { ...refund, refund_reason_id })
    expect(await store.knex("refund").select("note", "refund_reason_id")).toEqual([
      { note: "0xabc: arrived broken", refund_reason_id },
    ])
  })

  it("answers 400 to an amount that cannot be sent back: more than was paid, nothing, or no amount", async () => {
    const { cartId, id } = await placePaidOrder(store)
    for (const amount of ["20.02", "0", "-1", "1.001", "all of it"]) {
      expect([amount, (await on.register(id, amount)).status]).toEqual([amount, 400])
    }
    expect((await readEndState(store.knex, cartId)).refunds).toEqual([])
  })

  it("needs no credit line for what comes back, before it has come", async () => {
    const { id, orderId } = await placePaidOrder(store)
    await on.requestReturn(orderId)
    expect((await on.register(id, "15.01")).status).toBe(200)
    expect(await on.orderBooks(orderId)).toMatchObject({ refunded: 15.01, credits: [] })
    expect((await on.books(orderId)).pending).toBe(0)
  })

  it("answers 400 when a reference is used for another amount, and to more than is left", async () => {
    const { cartId, id } = await placePaidOrder(store)
    await on.register(id, "20.00", "first")
    expect((await on.register(id, "0.01", "first")).status).toBe(400)
    const answer = await on.register(id, "0.02", "second")
    expect([answer.status, answer.data]).toEqual([
      400,
      { type: "not_allowed", code: "refund_too_large", message: "Only 0.01 USD is left to refund." },
    ])
    expect((await readEndState(store.knex, cartId)).refunds).toEqual(["20.00"])
  })

  it("changes nothing when the same refund is registered again, also at the same moment", async () => {
    const { cartId, id } = await placePaidOrder(store)
    const answers = await Promise.all([on.register(id, "5.00"), on.register(id, "5.00")])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await on.register(id, "5.00")).status).toBe(200)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([["5.00"], ["20.01", "-5.00"]])
  })

  it.each([
    ["capitals", "0xABC"],
    ["a zero-width character", "0x\u200babc"],
    ["blanks around it", "\u00a0 0xabc\t"],
    ["full-width forms", "\uff10\uff58\uff41\uff42\uff43"],
  ])(
    "books a refund once when its reference comes again with %s, and shows the first",
    async (_what, again) => {
      const { cartId, id } = await placePaidOrder(store)
      await on.register(id, "2.00", "0xAbc")
      const answer = await on.register(id, "2.00", again)
      expect([answer.status, answer.data.already_registered]).toEqual([200, true])
      expect([answer.data.crypto_payment.refunded_amount, answer.data.refund.reference]).toEqual([
        "2.00",
        "0xAbc",
      ])
      const other = await on.register(id, "3.00", again)
      expect([other.status, other.data.code]).toEqual([400, "reference_used"])
      expect(await store.knex("crypto_payment_refund").select("amount", "reference")).toEqual([
        { amount: "2.00", reference: "0xAbc" },
      ])
      const { refunds, transactions } = await readEndState(store.knex, cartId)
      expect([refunds, transactions]).toEqual([["2.00"], ["20.01", "-2.00"]])
    }
  )

  it("books a refund once when it is registered in two spellings at the same moment", async () => {
    const { cartId, id } = await placePaidOrder(store)
    await Promise.all([on.register(id, "2.00", "0xABC"), on.register(id, "2.00", "0x\u200babc")])
    expect((await on.register(id, "2.00", "0xabc")).data.already_registered).toBe(true)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([["2.00"], ["20.01", "-2.00"]])
  })

  it("cannot have one reference twice for a payment, whatever writes it", async () => {
    const { id } = await placePaidOrder(store)
    await on.register(id, "2.00", "0xABC")
    const again = { ...OXABC, id: "cpref_again", request_id: id, amount: "2.00" }
    await expect(store.knex("crypto_payment_refund").insert(again)).rejects.toMatchObject({ code: "23505" })
  })

  it("answers 400 to a reference of which nothing can be seen", async () => {
    const { cartId, id } = await placePaidOrder(store)
    expect((await on.register(id, "2.00", "\u200b\u2060")).status).toBe(400)
    expect((await readEndState(store.knex, cartId)).refunds).toEqual([])
  })

  it("takes a reference of a thousand characters, however many they become", async () => {
    const { id } = await placePaidOrder(store)
    expect((await on.register(id, "2.00", "\ufdfa".repeat(1000))).status).toBe(200)
  })

  it("answers 400 when the gateway has not said PAID, and names the way out", async () => {
    const { session } = await store.shopper().checkout()
    const answer = await on.register((await ledgerRow(store, session.id)).id, "1.00")
    expect([answer.status, answer.data.code, answer.data.message]).toEqual([
      400,
      "nothing_paid",
      expect.stringContaining("check the payment now"),
    ])
  })

  it("answers 400 while the order is edited, writes nothing, and books once the edit is cancelled", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await on.post("/order-edits", { order_id: orderId })
    const refused = await on.register(id, "20.01")
    expect([refused.status, refused.data.code]).toEqual([400, "order_edited"])
    expect(await store.knex("crypto_payment_refund").select()).toEqual([])

    await store.http.delete(`/admin/order-edits/${orderId}`, await store.admin())
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
  })

  it.each([
    ["20.01000000000001", "just over"],
    ["20.00999999999999", "just under"],
  ])("takes the gateway's %s as the 20.01 it rounds to, %s", async (gatewayAmount) => {
    const { cartId, id } = await placePaidOrder(store)
    await store.knex("crypto_payment_request").update({ gateway_amount: gatewayAmount })
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      refunds: ["20.01"],
      ledger: [{ state: "refunded", attention: null }],
    })
  })

  it("books nothing more on an order that core has cancelled past the guard, and booked itself", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await cancelOrderWorkflow(store.container).run({ input: { order_id: orderId } })
    expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      refunds: ["20.01"],
      transactions: ["20.01", "-20.01"],
      ledger: [{ state: "refunded", attention: null }],
    })
  })
})
