import { Modules } from "@medusajs/framework/utils"
import { runAudit, shortFindings } from "../../support/audit"
import { removeBookings } from "../../support/bookings"
import { PAID_OK, readEndState } from "../../support/end-state"
import { placePaidOrder } from "../../support/paid-checkout"
import { payWithoutOrder } from "../../support/refused-orders"
import { OXABC, Refunds } from "../../support/refunds"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

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

    it("does not take the payment for sent back, places its order, and is named by the audit", async () => {
      const { cartId, session } = await payWithoutOrder(store)
      const payment = await store.knex("payment").where({ payment_session_id: session.id }).first("id")
      await leaveUnaskedRefund(payment.id as string, "20.01")
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual({
        ...PAID_OK,
        collection: { ...PAID_OK.collection, refunded: "20.01" },
        refunds: ["20.01"],
      })
      store.leavesDamage("Medusa has a refund that nobody registered")
      expect(shortFindings(await runAudit(store, ["refund_sums_differ"]))).toHaveLength(1)
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

  it("is booked whole again when core died before the order's transaction", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await on.register(id, "20.01")
    const whole = await on.orderBooks(orderId)
    await on.cutOffBooking(orderId, true)
    expect(await on.orderBooks(orderId)).not.toEqual(whole)
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect(await on.orderBooks(orderId)).toEqual(whole)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([["20.01"], ["20.01", "-20.01"]])
  })

  it("is booked once when core died before the credit line: the order then asks for the amount again", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await on.register(id, "20.01")
    await on.cutOffBooking(orderId, false)
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      collection: { captured: "20.01", refunded: "20.01" },
      refunds: ["20.01"],
      transactions: ["20.01", "-20.01"],
      ledger: [{ state: "refunded", settled: true, attention: null }],
    })
    expect(await on.orderBooks(orderId)).toMatchObject({ credits: [] })
  })

  it("waits for a settle to book the capture when core died before it did, and is registered after that", async () => {
    const { cartId, id } = await placePaidOrder(store)
    await removeBookings(store.knex)
    await store.knex("crypto_payment_request").update({ settled_at: null, next_check_at: new Date(0) })
    await store.knex("capture").update({ created_at: store.knex.raw("now() - interval '3 minutes'") })
    const refused = await on.register(id, "20.01")
    expect([refused.status, refused.data.code]).toEqual([400, "being_settled"])
    expect(await store.knex("crypto_payment_refund").select()).toEqual([])

    await settleDue(store)
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
    async function leaveOpenCredit(orderId: string): Promise<void> {
      await store.container
        .resolve(Modules.ORDER)
        .createOrderChange({ order_id: orderId, change_type: "credit_line" })
    }
    const cancelChange = async (orderId: string): Promise<number> =>
      (await store.http.delete(`/admin/order-edits/${orderId}`, await store.admin())).status

    it("is refused with the way out, records nothing, and is booked once the change is cancelled", async () => {
      const { cartId, id, orderId } = await placePaidOrder(store)
      await leaveOpenCredit(orderId)
      const refused = await on.register(id, "20.01")
      expect([refused.status, refused.data.code]).toEqual([400, "order_in_booking"])
      expect(refused.data.message).toContain("DELETE /admin/order-edits/")
      expect(await store.knex("crypto_payment_refund").select()).toEqual([])

      expect(await cancelChange(orderId)).toBe(200)
      expect((await on.register(id, "20.01")).status).toBe(200)
      expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
      expect(await on.orderBooks(orderId)).toEqual({ pending: 0, refunded: 20.01, credits: [20.01] })
    })

    it("finishes the registration that was booked before that, while the change is open", async () => {
      const { cartId, id, orderId } = await placePaidOrder(store)
      await on.register(id, "20.01")
      await on.cutOffBooking(orderId, false)
      await leaveOpenCredit(orderId)
      expect((await on.register(id, "20.01")).status).toBe(200)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        refunds: ["20.01"],
        transactions: ["20.01", "-20.01"],
        ledger: [{ state: "refunded" }],
      })
    })

    it("keeps the order from being cancelled, as core says, until the change is cancelled", async () => {
      const { id, orderId } = await placePaidOrder(store)
      expect((await on.register(id, "20.01")).status).toBe(200)
      await leaveOpenCredit(orderId)
      expect((await on.post(`/orders/${orderId}/cancel`)).status).toBe(400)
      expect(await cancelChange(orderId)).toBe(200)
      expect((await on.post(`/orders/${orderId}/cancel`)).status).toBe(200)
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
