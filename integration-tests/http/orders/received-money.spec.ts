import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { AxiosResponse } from "axios"
import { diedWhileCompleting } from "../../support/died-while-completing"
import { makeDraft } from "../../support/draft-order"
import { everythingHeard, hear } from "../../support/heard-events"
import { OrderChanges } from "../../support/order-changes"
import { readOrderEnd } from "../../support/order-end"
import { ledgerRow, payAndNotify, payOrphan, untilAtRest } from "../../support/paid-checkout"
import { nothingIsDue, settleDue, settleToEnd } from "../../support/settle-due"
import { setStock } from "../../support/stock"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("received money that has no order", (store) => {
  const changes = (): OrderChanges => new OrderChanges(store)
  const apply = async (id: string, order_id: string): Promise<AxiosResponse> =>
    await store.asAdmin.post(`/crypto-payments/${id}/apply`, { order_id })
  const row = async (id: string) => await store.knex("crypto_payment_request").where({ id }).first()
  const refusal = ({ status, data }: AxiosResponse): unknown[] => [status, data.code]

  /** A checkout of 20.01 USD for which something else was received. */
  const payOtherwise = async (paid: { amount?: string; currencySymbol?: string }): Promise<string> => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id, paid)
    await store.gateway.notify(session.data.payment_request_id)
    await untilAtRest(store, cartId)
    return (await ledgerRow(store, session.id)).id
  }

  /** A draft order of 15.01 USD an item, or of what the item costs in AED, without a link. */
  const draft = async (quantity = 1, currency: "usd" | "aed" = "usd"): Promise<string> =>
    await changes().draft({ quantity, currency, email: "other@example.test" })

  /** Waits until the link's payment is a case. @returns its id */
  const payLink = async (id: string): Promise<string> => {
    const { payment_request_id } = await row(id)
    await store.gateway.pay(payment_request_id)
    await store.gateway.notify(payment_request_id)
    await waitUntil(
      async () => await row(id),
      ({ attention_reason, lease_until }) => attention_reason !== null && lease_until === null
    )
    return id
  }

  /** A card's payment in the collection, of all that this asks for. */
  const payByCard = async (collectionId: string, how: "authorized" | "captured"): Promise<void> => {
    const payments = store.container.resolve(Modules.PAYMENT)
    const { amount, currency_code } = await payments.retrievePaymentCollection(collectionId)
    const provider_id = "pp_system_default"
    const { id } = await payments.createPaymentSession(collectionId, {
      ...{ provider_id, amount, currency_code },
      data: {},
    })
    const payment = await payments.authorizePaymentSession(id, {})
    if (how === "captured") {
      await payments.capturePayment({ payment_id: payment?.id ?? "", amount })
    }
    const card = { provider_id: "pp_card_manual" }
    await store.knex("payment_session").where({ id }).update(card)
    await store.knex("payment").where({ payment_session_id: id }).update(card)
  }

  it("of too small an amount pays an order whose link asks for exactly that, in the place of that link", async () => {
    const id = await payOtherwise({ amount: "15.01" })
    const { orderId, collectionId, id: link } = await makeDraft(store)
    const answer = await apply(id, orderId)
    expect([answer.status, answer.data.crypto_payment]).toMatchObject([
      200,
      { state: "captured", amount: "15.01", order_id: orderId, attention_reason: null },
    ])
    await nothingIsDue(store)
    expect(await readOrderEnd(store.knex, orderId)).toEqual({
      transactions: ["15.01"],
      captures: [{ amount: "15.01", collection: collectionId, asks: "15.01" }],
      ledger: expect.arrayContaining([
        { id, state: "captured", settled: true, attention: null, asked: "15.01 usd" },
        { id: link, state: "superseded", settled: false, attention: null, asked: "15.01 usd" },
      ]),
    })
    const applied = await store.knex("crypto_payment_activity").where({ request_id: id, type: "applied" })
    expect(applied.map(({ detail }) => detail)).toEqual([
      {
        order_id: orderId,
        cart_id: expect.stringMatching(/^cart_/),
        by: expect.stringMatching(/^user_/),
        amount: "20.01",
        currency_symbol: "usd",
      },
    ])
  })

  it("of a changed cart pays a part of an order that owes more, which then owes the rest", async () => {
    const { id } = await payOrphan(store)
    const orderId = await draft(2)
    expect((await apply(id, orderId)).status).toBe(200)
    expect(await readOrderEnd(store.knex, orderId)).toMatchObject({
      transactions: ["20.01"],
      captures: [{ amount: "20.01", asks: "20.01" }],
      ledger: [{ id, state: "captured", settled: true, attention: null, asked: "20.01 usd" }],
    })
    expect(await changes().owed(orderId)).toBeCloseTo(10.01)
  })

  it("of an order that was paid another way as well pays another order", async () => {
    const paid = await makeDraft(store)
    const collectionId = await changes().collection({ orderId: paid.orderId }, 15.01)
    await changes().must(`/payment-collections/${collectionId}/mark-as-paid`, { order_id: paid.orderId })
    const id = await payLink(paid.id)
    expect((await row(id)).attention_reason).toBe("duplicate_payment")
    const orderId = await draft()
    expect((await apply(id, orderId)).status).toBe(200)
    expect(await readOrderEnd(store.knex, orderId)).toMatchObject({
      transactions: ["15.01"],
      ledger: [{ id, state: "captured", settled: true, attention: null }],
    })
    expect(await readOrderEnd(store.knex, paid.orderId)).toMatchObject({ ledger: [] })
  })

  it("of a cancelled order pays another order, also after its case was closed", async () => {
    const canceled = await makeDraft(store)
    await changes().must(`/orders/${canceled.orderId}/cancel`)
    const id = await payLink(canceled.id)
    expect((await row(id)).attention_reason).toBe("paid_on_canceled")
    await changes().must(`/crypto-payments/${id}/resolve`, { note: "the customer wants another one" })
    expect(refusal(await apply(id, canceled.orderId))).toEqual([400, "order_does_not_owe_it"])
    const orderId = await draft()
    expect((await apply(id, orderId)).status).toBe(200)
    expect(await readOrderEnd(store.knex, orderId)).toMatchObject({
      transactions: ["15.01"],
      ledger: [{ id, state: "captured", settled: true, attention: null }],
    })
  })

  it("of another currency pays an order of that currency, and none of the requested one", async () => {
    const id = await payOtherwise({ amount: "50.00", currencySymbol: "AED" })
    expect(refusal(await apply(id, await draft(4)))).toEqual([400, "other_currency"])
    expect(await row(id)).toMatchObject({
      state: "paid",
      attention_reason: "amount_mismatch",
      amount: "20.01",
    })
    const orderId = await draft(1, "aed")
    expect((await apply(id, orderId)).status).toBe(200)
    expect(await readOrderEnd(store.knex, orderId)).toMatchObject({
      transactions: ["50.00"],
      ledger: [{ id, state: "captured", settled: true, attention: null, asked: "50.00 aed" }],
    })
  })

  it("is used once when two of the staff use it at the same moment", async () => {
    const { id } = await payOrphan(store)
    const orders = [await draft(2), await draft(2)]
    const answers = await Promise.all(orders.map(async (orderId) => await apply(id, orderId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.data.code).toMatch(/^(already_used|being_settled)$/)
    const ends = await Promise.all(orders.map(async (orderId) => await readOrderEnd(store.knex, orderId)))
    expect(ends.flatMap(({ transactions }) => transactions)).toEqual(["20.01"])
    expect(await store.knex("capture").pluck("id")).toHaveLength(1)
  })

  it("is used once for an order that two payments would pay at the same moment", async () => {
    const ids = [(await payOrphan(store)).id, (await payOrphan(store)).id]
    const orderId = await draft(2)
    const answers = await Promise.all(ids.map(async (id) => await apply(id, orderId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await readOrderEnd(store.knex, orderId)).toMatchObject({ transactions: ["20.01"] })
  })

  it("is refused to an order that owes less, that is cancelled, deleted or of another store, and nothing is written", async () => {
    const { id } = await payOrphan(store)
    const before = await row(id)
    const canceled = await draft(2)
    await changes().must(`/orders/${canceled}/cancel`)
    // It was a candidate a moment ago.
    const deleted = await draft(2)
    await store.asAdmin.delete(`/draft-orders/${deleted}`)
    for (const orderId of [await draft(1), canceled, deleted, "order_of_another_store"]) {
      expect(refusal(await apply(id, orderId))).toEqual([400, "order_does_not_owe_it"])
    }
    expect(await row(id)).toEqual(before)
    expect(await store.knex("order_payment_collection").pluck("id")).toEqual([])
  })

  it("is refused to an order that a card's authorized payment covers, which is no candidate", async () => {
    const { id } = await payOrphan(store)
    const orderId = await draft(2)
    await payByCard(await changes().collection({ orderId }, 30.02), "authorized")
    expect((await store.asAdmin.get(`/crypto-payments/${id}/candidates`)).data.candidates).toEqual([])
    expect(refusal(await apply(id, orderId))).toEqual([400, "order_does_not_owe_it"])
    expect(await row(id)).toMatchObject({ state: "paid", attention_reason: "orphan_paid" })
    expect(await store.knex("capture").pluck("id")).toEqual([])
  })

  it("pays an order that waits for a bank transfer, which is a candidate", async () => {
    const shopper = store.shopper()
    const cartId = await shopper.cart()
    await shopper.openSession(await shopper.collection(cartId), undefined, "pp_system_default")
    const orderId = String((await shopper.complete(cartId)).data.order.id)
    const { id } = await payOrphan(store)
    const { candidates } = (await store.asAdmin.get(`/crypto-payments/${id}/candidates`)).data
    expect(candidates).toMatchObject([{ order_id: orderId, outstanding: "20.01", outstanding_after: "0.00" }])
    expect((await apply(id, orderId)).status).toBe(200)
    expect(await readOrderEnd(store.knex, orderId)).toMatchObject({ transactions: ["20.01"] })
  })

  it("is refused once a part of it is registered as sent back, and once it is used", async () => {
    const { id } = await payOrphan(store)
    const orderId = await draft(2)
    const refund = { amount: "1.00", reference: "tx 1" }
    await changes().must(`/crypto-payments/${id}/refunds`, refund)
    expect(refusal(await apply(id, orderId))).toEqual([400, "refund_registered"])
    const other = (await payOrphan(store)).id
    expect((await apply(other, orderId)).status).toBe(200)
    expect(refusal(await apply(other, orderId))).toEqual([400, "already_used"])
    expect(await readOrderEnd(store.knex, orderId)).toMatchObject({ transactions: ["20.01"] })
  })

  it("has the orders as candidates that owe as much in its currency, the likeliest first", async () => {
    const { id } = await payOrphan(store)
    const [more, less, exact] = [await draft(3), await draft(1), await makeDraft(store, 2)]
    const { candidates, received } = (await store.asAdmin.get(`/crypto-payments/${id}/candidates`)).data
    expect(received).toEqual({ amount: "20.01", currency_code: "usd" })
    expect(candidates).toMatchObject([
      { order_id: exact.orderId, likely: "same_email", outstanding: "30.02", outstanding_after: "10.01" },
      { order_id: more, is_draft: true, email: "other@example.test", likely: null, outstanding: "45.03" },
    ])
    const number = candidates[1].display_id as number
    for (const q of [
      `#${String(number)}`,
      `Order ${String(number)}`,
      more,
      `'${more}`,
      "other@example.test",
    ]) {
      const found = await store.asAdmin.get(`/crypto-payments/${id}/candidates?q=${encodeURIComponent(q)}`)
      expect(found.data.candidates.map(({ order_id }: { order_id: string }) => order_id)).toEqual([more])
    }
    expect((await store.asAdmin.get(`/crypto-payments/${id}/candidates?q=${less}`)).data.candidates).toEqual(
      []
    )
  })

  describe("and a draft order of its cart", () => {
    const makeDraftOf = async (id: string): Promise<AxiosResponse> =>
      await store.asAdmin.post(`/crypto-payments/${id}/draft-order`)
    const canMakeDraft = async (id: string): Promise<boolean> =>
      (await store.asAdmin.get(`/crypto-payments/${id}?live=false`)).data.crypto_payment.can_make_draft
    const collectionOfCart = async (cart_id: string): Promise<string> =>
      (await store.knex("cart_payment_collection").where({ cart_id, deleted_at: null }).first())
        .payment_collection_id
    const orderIds = async (): Promise<string[]> =>
      await store.knex("order").whereNull("deleted_at").orderBy("created_at").pluck<string[]>("id")

    /** What a refused draft leaves: no order, and a cart that can be completed. */
    const expectNothingMade = async (id: string): Promise<void> => {
      const { cart_id, order_id } = await row(id)
      expect(order_id).toBeNull()
      expect(await store.knex("cart").where({ id: cart_id }).pluck("completed_at")).toEqual([null])
      expect(await orderIds()).toEqual([])
    }

    it("owes the rest when too little was received: a link asks for exactly that", async () => {
      const id = await payOtherwise({ amount: "15.00" })
      const { cart_id } = await row(id)
      const { status, data } = await makeDraftOf(id)
      expect([status, data.crypto_payment]).toMatchObject([
        200,
        { state: "captured", amount: "15.00", attention_reason: "order_underpaid", attention_amount: "5.01" },
      ])
      const orderId = data.order_id as string
      const order = await store.knex("order").where({ id: orderId }).first()
      expect(order).toMatchObject({ is_draft_order: true, status: "draft", email: "guest@example.test" })
      // Whoever paid cannot read a draft.
      const { session_id } = await row(id)
      const polled = async () => (await store.shopper().statusOf(session_id, cart_id)).data
      expect(await polled()).toEqual({ status: "paid", review: true })
      const { crypto_payment: rest } = await changes().must(`/crypto-payments/orders/${orderId}/payment-link`)
      const {
        id: restId,
        amount,
        payment_request_id,
      } = rest as Record<"id" | "amount" | "payment_request_id", string>
      expect(amount).toBe("5.01")
      await store.gateway.pay(payment_request_id)
      await store.gateway.notify(payment_request_id)
      await waitUntil(
        async () => await row(restId),
        ({ settled_at }) => settled_at !== null
      )
      await settleToEnd(store, id)
      expect(await readOrderEnd(store.knex, orderId)).toMatchObject({
        transactions: ["15.00", "5.01"],
        ledger: [
          { id, state: "captured", settled: true, attention: null },
          { id: restId, state: "captured", settled: true, attention: null },
        ],
      })
      await changes().must(`/draft-orders/${orderId}/convert-to-order`)
      expect(await polled()).toEqual({ status: "paid", order_id: orderId })
      const completed = await store.shopper().complete(cart_id)
      expect([completed.data.type, completed.data.order?.id]).toEqual(["order", orderId])
      expect(await store.knex("order").pluck("id")).toEqual([orderId])
    })

    it("is paid when too much was received, and the excess is a case", async () => {
      const id = await payOtherwise({ amount: "25.00" })
      const { data } = await makeDraftOf(id)
      expect(data.crypto_payment).toMatchObject({
        state: "captured",
        attention_reason: "order_overpaid",
        attention_amount: "4.99",
      })
      expect(await readOrderEnd(store.knex, data.order_id)).toMatchObject({ transactions: ["25.00"] })
    })

    it("has what the cart has now, at its price", async () => {
      const { id } = await payOrphan(store)
      const { data } = await makeDraftOf(id)
      expect(data.crypto_payment).toMatchObject({
        attention_reason: "order_underpaid",
        attention_amount: "15.01",
      })
      const items = await changes().items(data.order_id)
      expect(items.map(({ quantity }) => quantity)).toEqual([2])
    })

    it("is made although the cart's customer was deleted", async () => {
      const { id, cartId } = await payOrphan(store)
      const { customer_id } = await store.knex("cart").where({ id: cartId }).first("customer_id")
      await store.container.resolve(Modules.CUSTOMER).softDeleteCustomers([customer_id])
      const { status, data } = await makeDraftOf(id)
      expect(status).toBe(200)
      expect(await store.knex("order").pluck("email")).toEqual(["guest@example.test"])
      expect(await readOrderEnd(store.knex, data.order_id)).toMatchObject({ transactions: ["20.01"] })
    })

    it("gets the capture that core has made without an order, once, and no order.placed", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await setStock(store, 0)
      await payAndNotify(store, session.data.payment_request_id)
      await untilAtRest(store, cartId)
      const { id, attention_reason } = await ledgerRow(store, session.id)
      expect(attention_reason).toBe("paid_without_order")
      const placed = hear(store, "order.placed")
      // Core may be booking a capture that is younger than two minutes.
      const ago = new Date(Date.now() - 3 * 60_000)
      await store.knex("capture").update({ created_at: ago })
      await store.knex("crypto_payment_request").update({ captured_at: ago })
      const { status, data } = await makeDraftOf(id)
      expect([status, data.crypto_payment]).toMatchObject([
        200,
        { state: "captured", order_id: data.order_id, attention_reason: null },
      ])
      // Also when what says that nothing is to be announced is lost.
      await store.knex("crypto_payment_request").update({ settled_at: ago, order_announced_at: null })
      await store.runSchedule()
      await everythingHeard(store)
      expect(placed).toEqual([])
      expect(await canMakeDraft(id)).toBe(false)
      expect(await readOrderEnd(store.knex, data.order_id)).toMatchObject({
        transactions: ["20.01"],
        captures: [{ amount: "20.01" }],
        ledger: [{ id, state: "captured", settled: true, attention: null }],
      })
    })

    it("is made once when two of the staff press the button at the same moment", async () => {
      const { id } = await payOrphan(store)
      const answers = await Promise.all([makeDraftOf(id), makeDraftOf(id)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(await store.knex("order").pluck("id")).toHaveLength(1)
      expect(await store.knex("capture").pluck("id")).toHaveLength(1)
    })

    it("is not made of a cart that a card pays as well", async () => {
      const { id, cartId } = await payOrphan(store)
      await payByCard(await collectionOfCart(cartId), "authorized")
      expect(refusal(await makeDraftOf(id))).toEqual([400, "cart_paid_otherwise"])
      await expectNothingMade(id)
    })

    it("was paid twice when a card captures the cart later", async () => {
      const id = await payOtherwise({ amount: "15.00" })
      const { cart_id } = await row(id)
      const { data } = await makeDraftOf(id)
      expect(data.crypto_payment.attention_reason).toBe("order_underpaid")
      await payByCard(await collectionOfCart(cart_id), "captured")
      await settleDue(store)
      expect(await row(id)).toMatchObject({
        state: "captured",
        attention_reason: "duplicate_payment",
        attention_resolved_at: null,
      })
      expect(await readOrderEnd(store.knex, data.order_id)).toMatchObject({ transactions: ["15.00"] })
    })

    it("is refused while a dead process may have left an order, until the case is closed", async () => {
      const { id, orderId } = await diedWhileCompleting(store, { links: [], isCaptured: true })
      await settleDue(store)
      expect(await canMakeDraft(id)).toBe(true)
      const refused = await makeDraftOf(id)
      expect(refusal(refused)).toEqual([400, "order_may_exist"])
      expect(refused.data.message).toMatch(new RegExp(`Order ${orderId} .* cancel it .* resolve the case`))
      expect(await orderIds()).toEqual([orderId])
      await changes().must(`/crypto-payments/${id}/resolve`, { note: "sold by phone" })
      const { status, data } = await makeDraftOf(id)
      expect(status).toBe(200)
      expect(await orderIds()).toEqual([orderId, data.order_id])
      expect(await readOrderEnd(store.knex, data.order_id)).toMatchObject({
        transactions: ["20.01"],
        ledger: [{ id, state: "captured", settled: true }],
      })
    })

    it("is not made without the payment's provider, and nothing is written", async () => {
      const { id } = await payOrphan(store)
      await store.knex("crypto_payment_request").where({ id }).update({ provider_id: "pp_crypto_gone" })
      expect(refusal(await makeDraftOf(id))).toEqual([400, "provider_missing"])
      await expectNothingMade(id)
      expect(await canMakeDraft(id)).toBe(true)
    })

    it("gets the money by the same button when it was begun and does not have it yet", async () => {
      const { id, cartId } = await payOrphan(store)
      const orderId = await draft(2)
      await store.knex("crypto_payment_request").where({ id }).update({ order_id: orderId })
      const link = { [Modules.ORDER]: { order_id: orderId }, [Modules.CART]: { cart_id: cartId } }
      await store.container.resolve(ContainerRegistrationKeys.LINK).create(link)
      expect(await canMakeDraft(id)).toBe(true)
      const { status, data } = await makeDraftOf(id)
      expect([status, data.order_id, data.crypto_payment.can_make_draft]).toEqual([200, orderId, false])
      expect(await readOrderEnd(store.knex, orderId)).toMatchObject({ transactions: ["20.01"] })
    })

    it("is not made of a cart with store credit, which it would give without using it up", async () => {
      const { id, cartId: cart_id } = await payOrphan(store)
      const credit = { cart_id, amount: 5, raw_amount: { value: "5", precision: 20 } }
      await store.knex("credit_line").insert({ id: "credit_1", ...credit })
      expect(refusal(await makeDraftOf(id))).toEqual([400, "cart_has_credit"])
      await expectNothingMade(id)
    })

    it("is not made of a cart without items, or that is deleted", async () => {
      const { id, cartId } = await payOrphan(store)
      const before = await row(id)
      await store.knex("cart_line_item").where({ cart_id: cartId }).update({ deleted_at: new Date() })
      expect(refusal(await makeDraftOf(id))).toEqual([400, "cart_gone"])
      await store.knex("cart").where({ id: cartId }).update({ deleted_at: new Date() })
      expect(refusal(await makeDraftOf(id))).toEqual([400, "cart_gone"])
      expect({ ...(await row(id)), updated_at: null }).toEqual({ ...before, updated_at: null })
      expect(await store.knex("order").pluck("id")).toEqual([])
    })
  })
})
