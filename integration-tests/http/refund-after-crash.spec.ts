import { Modules } from "@medusajs/framework/utils"
import { removeBookings } from "../support/bookings"
import { PAID_OK, readEndState } from "../support/end-state"
import { placePaidOrder } from "../support/paid-checkout"
import { payWithoutOrder } from "../support/refused-orders"
import { OXABC, Refunds } from "../support/refunds"
import { settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"

describeStore("refunds and cancellation", (store) => {
  const on = new Refunds(store)

  it("finishes a registration that a crash cut off before Medusa knew", async () => {
    const { cartId, id } = await placePaidOrder(store)
    await store.knex("crypto_payment_refund").insert({
      id: "cpref_cut_off",
      request_id: id,
      amount: "20.01",
      ...OXABC,
      state: "registered",
    })
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
  })

  describe("when a process died while core asked the provider about a refund", () => {
    /** What it leaves: a refund of Medusa's that nobody made. Core would have deleted it, or had it vouched for. */
    async function leaveUnaskedRefund(paymentId: string, amount: string, ageMs = 120_000): Promise<void> {
      const createdAt = new Date(Date.now() - ageMs)
      await store.knex("refund").insert({
        id: "ref_unasked",
        payment_id: paymentId,
        amount,
        raw_amount: JSON.stringify({ value: amount, precision: 20 }),
        created_at: createdAt,
        updated_at: createdAt,
      })
    }

    it.each(["20.01", "8.00"])("is undone, and a registered one is booked once (%s)", async (amount) => {
      const { cartId, id, paymentId } = await placePaidOrder(store)
      await leaveUnaskedRefund(paymentId, amount)
      expect((await on.register(id, "20.01")).status).toBe(200)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        collection: { captured: "20.01", refunded: "20.01" },
        refunds: ["20.01"],
        transactions: ["20.01", "-20.01"],
        ledger: [{ state: "refunded" }],
      })
    })

    it("leaves alone what may be under way", async () => {
      const { cartId, id, paymentId } = await placePaidOrder(store)
      store.leavesDamage("a refund of this moment is left, and the collection's sums do not have it")
      await leaveUnaskedRefund(paymentId, "20.01", 0)
      const refused = await on.register(id, "20.01")
      expect([refused.status, refused.data.message]).toEqual([400, expect.stringContaining("in a minute")])
      expect((await readEndState(store.knex, cartId)).refunds).toEqual(["20.01"])
    })

    it("does not take the payment for sent back, and places its order", async () => {
      const { cartId, session } = await payWithoutOrder(store)
      const payment = await store.knex("payment").where({ payment_session_id: session.id }).first("id")
      await leaveUnaskedRefund(payment.id as string, "20.01")
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })
  })

  it("finishes a registration that a crash cut off after Medusa's refund row", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await on.register(id, "20.01")
    await on.cutOffRefund()
    await removeBookings(store.knex, { order_id: orderId, reference: "refund" })
    expect((await on.register(id, "20.01")).status).toBe(200)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([["20.01"], ["20.01", "-20.01"]])
  })

  it.each([
    ["before the order's transaction", true],
    ["before the order's credit line", false],
  ])("leaves the order owing nothing when it finishes what was cut off %s", async (_, isTransactionLost) => {
    const { id, orderId } = await placePaidOrder(store)
    await on.register(id, "20.01")
    const whole = await on.orderBooks(orderId)
    await on.cutOffBooking(orderId, isTransactionLost)
    expect(await on.orderBooks(orderId)).not.toEqual(whole)
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect(await on.orderBooks(orderId)).toEqual(whole)
  })

  it.each([
    ["before it booked the capture", false],
    ["before the order had its cart", true],
  ])("books the capture before the refund when core died %s", async (_, isCartLost) => {
    const { cartId, id } = await placePaidOrder(store)
    if (isCartLost) {
      await store.knex("order_cart").delete()
    }
    await removeBookings(store.knex)
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      orders: 1,
      transactions: ["20.01", "-20.01"],
      refunds: ["20.01"],
      ledger: [{ state: "refunded" }],
    })
  })

  describe("when a process died while core made a credit line", () => {
    /** What it leaves: an open change of the order, which nobody is at. */
    async function leaveOpenCredit(orderId: string, ageMs: number): Promise<void> {
      const change = await store.container
        .resolve(Modules.ORDER)
        .createOrderChange({ order_id: orderId, change_type: "credit_line" })
      await store
        .knex("order_change")
        .where({ id: change.id })
        .update({ created_at: new Date(Date.now() - ageMs) })
    }

    it("books a refund all the same", async () => {
      const { cartId, id, orderId } = await placePaidOrder(store)
      await leaveOpenCredit(orderId, 120_000)
      expect((await on.register(id, "20.01")).status).toBe(200)
      expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
      expect(await on.orderBooks(orderId)).toEqual({ pending: 0, refunded: 20.01, credits: [20.01] })
    })

    it("lets the order be cancelled all the same", async () => {
      const { id, orderId } = await placePaidOrder(store)
      expect((await on.register(id, "20.01")).status).toBe(200)
      await leaveOpenCredit(orderId, 120_000)
      expect((await on.post(`/orders/${orderId}/cancel`)).status).toBe(200)
    })

    it("leaves alone what may be under way", async () => {
      const { id, orderId } = await placePaidOrder(store)
      await leaveOpenCredit(orderId, 0)
      expect((await on.register(id, "20.01")).status).toBe(400)
    })
  })

  it("finishes what was cut off before it books another refund", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await on.register(id, "5.00", "first")
    await on.cutOffBooking(orderId, true)
    expect((await on.register(id, "7.00", "second")).status).toBe(200)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([
      ["5.00", "7.00"],
      ["20.01", "-5.00", "-7.00"],
    ])
    expect(await on.orderBooks(orderId)).toMatchObject({ pending: 0, refunded: 12 })
  })
})
