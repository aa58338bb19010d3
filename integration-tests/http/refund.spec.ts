import { Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflow, completeCartWorkflow } from "@medusajs/medusa/core-flows"
import type { AxiosResponse } from "axios"
import en from "../../src/admin/i18n/en.json"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { removeBookings } from "../support/bookings"
import { PAID_OK, readEndState } from "../support/end-state"
import { everythingHeard } from "../support/heard-events"
import { ledgerRow, payOrphan, placePaidOrder } from "../support/paid-checkout"
import { payWithoutOrder } from "../support/paid-without-order"
import { settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

/** The way out, as the order's page calls it: core shows these answers there. */
const BUTTON = `"${en.actions.registerRefund}" in the section "${en.widget.title}"`

describeStore("refunds and cancellation", (store) => {
  const admin = async (path: string, body: unknown = {}): Promise<AxiosResponse> =>
    await store.http.post(`/admin${path}`, body, await store.admin())
  const register = async (id: string, amount: string | number, reference = "0xabc"): Promise<AxiosResponse> =>
    await admin(`/crypto-payments/${id}/refunds`, { amount, reference })
  /** What the order has in its books, as the admin shows it. */
  async function orderBooks(orderId: string): Promise<unknown> {
    const { data } = await store.http.get(
      `/admin/orders/${orderId}?fields=summary.*,credit_lines.amount`,
      await store.admin()
    )
    const { summary, credit_lines } = data.order
    return {
      pending: summary.pending_difference,
      refunded: summary.refunded_total,
      credits: credit_lines.map(({ amount }: { amount: number }) => amount),
    }
  }

  /** Core died over it, longer ago than it could still be at it. */
  async function cutOffRefund(): Promise<void> {
    await store.knex("crypto_payment_refund").update({ state: "registered" })
    await store.knex("refund").update({ created_at: store.knex.raw("now() - interval '2 minutes'") })
  }

  /** The state a process leaves that dies while core books a refund. */
  async function cutOffBooking(orderId: string, isTransactionLost: boolean): Promise<void> {
    await cutOffRefund()
    await store.knex("order_credit_line").where({ order_id: orderId }).delete()
    const [{ version }] = await store.knex("order").where({ id: orderId }).select("version")
    await store.knex("order_change").where({ order_id: orderId, change_type: "credit_line" }).delete()
    await store.knex("order_summary").where({ order_id: orderId, version }).delete()
    await store.knex("order_item").where({ order_id: orderId, version }).delete()
    await store.knex("order_shipping").where({ order_id: orderId, version }).delete()
    await store
      .knex("order")
      .where({ id: orderId })
      .update({ version: version - 1 })
    if (isTransactionLost) {
      await removeBookings(store.knex, { order_id: orderId, reference: "refund" })
    }
  }

  describe("before anything is registered (scenario 6)", () => {
    it("answers 400 to an admin's refund and writes nothing", async () => {
      const { cartId, paymentId } = await placePaidOrder(store)
      const answer = await admin(`/payments/${paymentId}/refund`, { amount: 20.01 })
      expect([answer.status, answer.data.message]).toEqual([400, expect.stringContaining(BUTTON)])
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("answers 400 to an admin's cancel, names the way out and cancels nothing", async () => {
      const { cartId, orderId } = await placePaidOrder(store)
      const answer = await admin(`/orders/${orderId}/cancel`)
      expect([answer.status, answer.data.message]).toEqual([400, expect.stringContaining(BUTTON)])
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      const order = await store.knex("order").where({ id: orderId }).first("status")
      expect(order.status).toBe("pending")
    })
  })

  it("books a registered refund once, and then lets the order be cancelled (scenario 6)", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    const registered = await register(id, "20.01")
    const { data } = await store.http.get(`/admin/crypto-payments/${id}`, await store.admin())
    expect([registered.status, [registered.data.refund]]).toEqual([200, data.crypto_payment.refunds])
    expect((await admin(`/orders/${orderId}/cancel`)).status).toBe(200)

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
    expect((await register(id, 5, "first")).status).toBe(200)
    expect((await admin(`/orders/${orderId}/cancel`)).status).toBe(400)
    expect((await register(id, "15.01", "second")).status).toBe(200)

    const state = await readEndState(store.knex, cartId)
    expect([state.refunds, state.transactions, state.ledger[0]?.state]).toEqual([
      ["5.00", "15.01"],
      ["20.01", "-5.00", "-15.01"],
      "refunded",
    ])
    expect((await admin(`/orders/${orderId}/cancel`)).status).toBe(200)
  })

  it.each([
    ["more than was paid", "20.02"],
    ["nothing", "0"],
    ["a negative amount", "-1"],
    ["three decimals", "1.001"],
    ["words", "all of it"],
  ])("answers 400 to a refund of %s", async (_, amount) => {
    const { cartId, id } = await placePaidOrder(store)
    expect((await register(id, amount)).status).toBe(400)
    expect((await readEndState(store.knex, cartId)).refunds).toEqual([])
  })

  it("answers 400 when the second refund is more than is left", async () => {
    const { cartId, id } = await placePaidOrder(store)
    await register(id, "20.00", "first")
    const answer = await register(id, "0.02", "second")
    expect([answer.status, answer.data]).toEqual([
      400,
      { type: "not_allowed", code: "refund_too_large", message: "Only 0.01 USD is left to refund." },
    ])
    expect((await readEndState(store.knex, cartId)).refunds).toEqual(["20.00"])
  })

  it("changes nothing when the same refund is registered again, also at the same moment", async () => {
    const { cartId, id } = await placePaidOrder(store)
    const answers = await Promise.all([register(id, "5.00"), register(id, "5.00")])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await register(id, "5.00")).status).toBe(200)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([["5.00"], ["20.01", "-5.00"]])
  })

  it("answers 400 when a reference is used for another amount", async () => {
    const { id } = await placePaidOrder(store)
    await register(id, "5.00")
    expect((await register(id, "6.00")).status).toBe(400)
  })

  it("answers 400 when nothing was paid", async () => {
    const { session } = await store.shopper().checkout()
    expect((await register((await ledgerRow(store, session.id)).id, "1.00")).status).toBe(400)
  })

  it("finishes a registration that a crash cut off before Medusa knew", async () => {
    const { cartId, id } = await placePaidOrder(store)
    await store.knex("crypto_payment_refund").insert({
      id: "cpref_cut_off",
      request_id: id,
      amount: "20.01",
      reference: "0xabc",
      state: "registered",
    })
    expect((await register(id, "20.01")).status).toBe(200)
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
      expect((await register(id, "20.01")).status).toBe(200)
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
      const refused = await register(id, "20.01")
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
    await register(id, "20.01")
    await cutOffRefund()
    await removeBookings(store.knex, { order_id: orderId, reference: "refund" })
    expect((await register(id, "20.01")).status).toBe(200)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([["20.01"], ["20.01", "-20.01"]])
  })

  it.each([
    ["before the order's transaction", true],
    ["before the order's credit line", false],
  ])("leaves the order owing nothing when it finishes what was cut off %s", async (_, isTransactionLost) => {
    const { id, orderId } = await placePaidOrder(store)
    await register(id, "20.01")
    const whole = await orderBooks(orderId)
    await cutOffBooking(orderId, isTransactionLost)
    expect(await orderBooks(orderId)).not.toEqual(whole)
    expect((await register(id, "20.01")).status).toBe(200)
    expect(await orderBooks(orderId)).toEqual(whole)
  })

  it("answers 400 while the order is edited, writes nothing, and books once the edit is cancelled", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await admin("/order-edits", { order_id: orderId })
    const refused = await register(id, "20.01")
    expect([refused.status, refused.data.code]).toEqual([400, "order_edited"])
    expect(await store.knex("crypto_payment_refund").select()).toEqual([])

    await store.http.delete(`/admin/order-edits/${orderId}`, await store.admin())
    expect((await register(id, "20.01")).status).toBe(200)
    expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
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
    expect((await register(id, "20.01")).status).toBe(200)
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
      expect((await register(id, "20.01")).status).toBe(200)
      expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
      expect(await orderBooks(orderId)).toEqual({ pending: 0, refunded: 20.01, credits: [20.01] })
    })

    it("lets the order be cancelled all the same", async () => {
      const { id, orderId } = await placePaidOrder(store)
      expect((await register(id, "20.01")).status).toBe(200)
      await leaveOpenCredit(orderId, 120_000)
      expect((await admin(`/orders/${orderId}/cancel`)).status).toBe(200)
    })

    it("leaves alone what may be under way", async () => {
      const { id, orderId } = await placePaidOrder(store)
      await leaveOpenCredit(orderId, 0)
      expect((await register(id, "20.01")).status).toBe(400)
    })
  })

  it("registers the refund of an orphan, which Medusa has no payment for, and closes its case", async () => {
    const { cartId, id } = await payOrphan(store)
    expect((await register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      payments: [],
      refunds: [],
      ledger: [{ state: "refunded", attention: null }],
    })
  })

  it("never places the order of a cart whose payment was refunded in full", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await payWithoutOrder(store, shopper)
    expect((await register((await ledgerRow(store, session.id)).id, "20.01")).status).toBe(200)

    const completed = await shopper.complete(cartId)
    expect([completed.status, completed.data.type]).toEqual([400, "not_allowed"])
    await admin(`/crypto-payments/${(await ledgerRow(store, session.id)).id}/settle`)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      collection: { captured: "20.01", refunded: "20.01" },
      refunds: ["20.01"],
      orders: 0,
      ledger: [{ state: "refunded" }],
    })
  })

  it("never places it either when the shopper was past the guard while the refund was registered", async () => {
    const { cartId, session } = await payWithoutOrder(store)
    await register((await ledgerRow(store, session.id)).id, "20.01")
    const { errors } = await completeCartWorkflow(store.container).run({
      input: { id: cartId },
      throwOnError: false,
    })
    expect(errors).not.toEqual([])
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      collection: { captured: "20.01", refunded: "20.01" },
      captures: ["20.01"],
      refunds: ["20.01"],
      orders: 0,
    })
  })

  it.each([
    ["20.01000000000001", "just over"],
    ["20.00999999999999", "just under"],
  ])("takes the gateway's %s as the 20.01 it rounds to, %s", async (gatewayAmount) => {
    const { cartId, id } = await placePaidOrder(store)
    await store.knex("crypto_payment_request").update({ gateway_amount: gatewayAmount })
    expect((await register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      refunds: ["20.01"],
      ledger: [{ state: "refunded", attention: null }],
    })
  })

  it("finishes what was cut off before it books another refund", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await register(id, "5.00", "first")
    await cutOffBooking(orderId, true)
    expect((await register(id, "7.00", "second")).status).toBe(200)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([
      ["5.00", "7.00"],
      ["20.01", "-5.00", "-7.00"],
    ])
    expect(await orderBooks(orderId)).toMatchObject({ pending: 0, refunded: 12 })
  })

  it("books nothing more on an order that core has cancelled past the guard, and booked itself", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await cancelOrderWorkflow(store.container).run({ input: { order_id: orderId } })
    expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
    expect((await register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      refunds: ["20.01"],
      transactions: ["20.01", "-20.01"],
      ledger: [{ state: "refunded", attention: null }],
    })
  })

  it("binds no session to money that was sent back, if only in part", async () => {
    const { id, session } = await payOrphan(store)
    const { requests } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    expect((await register(id, "1.00")).status).toBe(200)
    expect(await requests.claimSession(id, session.id)).toBe(false)
    expect(await ledgerRow(store, session.id)).toMatchObject({ paid_session_id: null })
  })

  it("does not place an order with money that was sent back before it was captured", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.knex("crypto_payment_request").update({
      state: "paid",
      paid_at: new Date(),
      gateway_amount: "20.01",
      gateway_currency_symbol: "USD",
    })
    expect((await register((await ledgerRow(store, session.id)).id, "20.01")).status).toBe(200)
    const { data } = await shopper.complete(cartId)
    expect(data.type).toBe("cart")
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      payments: [],
      orders: 0,
      ledger: [{ state: "refunded" }],
    })
  })

  describe("the attention list", () => {
    it("is checked now, and resolved with a note, once", async () => {
      const { id } = await payOrphan(store)
      expect((await admin(`/crypto-payments/${id}/settle`)).data.crypto_payment.attention_reason).toBe(
        "orphan_paid"
      )
      const resolved = await admin(`/crypto-payments/${id}/resolve`, { note: "refunded by hand" })
      expect(resolved.data.crypto_payment).toMatchObject({
        attention_note: "refunded by hand",
        attention_resolved_at: expect.any(String),
      })
      expect((await admin(`/crypto-payments/${id}/resolve`, { note: "again" })).status).toBe(400)
    })

    it("asks for a note, for an existing request, and for a login", async () => {
      const { id } = await payOrphan(store)
      expect((await admin(`/crypto-payments/${id}/resolve`, {})).status).toBe(400)
      expect((await admin(`/crypto-payments/cpreq_nobody/settle`)).status).toBe(404)
      expect((await store.http.post(`/admin/crypto-payments/${id}/settle`)).status).toBe(401)
    })

    it("announces a case once", async () => {
      const heard: unknown[] = []
      store.container
        .resolve(Modules.EVENT_BUS)
        .subscribe("crypto_payment.attention_required", async ({ data }) => void heard.push(data))
      const { id, cartId } = await payOrphan(store)
      await admin(`/crypto-payments/${id}/settle`)
      await admin(`/crypto-payments/${id}/settle`)
      await waitUntil(
        async () => heard,
        ({ length }) => length > 0
      )
      await everythingHeard(store)
      expect(heard).toEqual([
        expect.objectContaining({ id, reason: "orphan_paid", cart_id: cartId, amount: "20.01" }),
      ])
    })
  })
})
