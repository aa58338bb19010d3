import type { LeasedRow } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/leases"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK, readEndState } from "../../support/end-state"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { OrderChanges } from "../../support/order-changes"
import { settleDue } from "../../support/settle-due"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { readTimeline } from "../../support/timeline"
import { waitUntil } from "../../support/wait-until"

interface TwoPaidLinks {
  cartId: string
  collectionId: string
  /** The ledger's ids, the one that was paid first before the other. */
  rowIds: [string, string]
}

describeStore("two links of one cart that were both paid after it had changed", (store) => {
  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")

  const setQuantity = async (cartId: string, quantity: number): Promise<void> => {
    const shopper = store.shopper()
    const { data } = await shopper.get(`/carts/${cartId}`)
    const [item] = data.cart.items as { id: string }[]
    const { status } = await shopper.post(`/carts/${cartId}/line-items/${String(item?.id)}`, { quantity })
    expect(status).toBe(200)
  }

  /** The gateway refuses a read of the first link once, so the same cart is given a second one; then both are paid. */
  async function twoPaidLinks(): Promise<TwoPaidLinks> {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const { id: first } = await ledgerRow(store, session.id)
    await setQuantity(cartId, 2)
    await setQuantity(cartId, 1)
    // A link that was read a moment ago is offered again without a read.
    await store.knex("crypto_payment_request").update({ last_checked_at: null })
    await store.gateway.fail({ endpoint: "read", kind: "status", status: 404, times: 1 })
    expect((await shopper.openSession(collectionId)).status).toBe(200)
    await setQuantity(cartId, 2)

    const rows = await store.knex("crypto_payment_request").where({ cart_id: cartId }).orderBy("created_at")
    expect(rows.map(({ id }) => id === first)).toEqual([true, false])
    for (const { id, payment_request_id } of rows) {
      await payAndNotify(store, payment_request_id as string)
      await waitUntil(
        async () => await ledger().requests.require(id as string),
        ({ attention_reason }) => attention_reason !== null
      )
    }
    const { ledger: states } = await endOf(store, cartId)
    expect(states.map(({ attention }) => attention)).toEqual(["orphan_paid", "orphan_paid"])
    return { cartId, collectionId, rowIds: [first, rows[1].id as string] }
  }

  it("pay it once when it goes back to its total: one is captured, the other keeps its case", async () => {
    const { cartId, collectionId, rowIds } = await twoPaidLinks()
    await setQuantity(cartId, 1)
    expect((await store.shopper().openSession(collectionId)).status).toBe(200)
    await waitUntil(
      async () => await readEndState(store.knex, cartId),
      ({ ledger: rows }) => rows.some(({ settled }) => settled)
    )
    // Once more for both, so that whatever the second row would take for its own is taken.
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)

    const state = await readEndState(store.knex, cartId)
    expect(state).toMatchObject({
      collection: { status: "completed", captured: "20.01" },
      payments: [{ captured: true, canceled: false }],
      captures: ["20.01"],
      refunds: [],
      orders: 1,
      transactions: ["20.01"],
    })
    expect(state.ledger).toEqual([
      { state: "captured", settled: true, attention: null },
      {
        state: "paid",
        settled: false,
        attention: expect.stringMatching(/^(orphan_paid|duplicate_payment)$/),
      },
    ])
    const { data } = await store.http.get("/admin/crypto-payments?attention=open", await store.admin())
    expect((data.crypto_payments as { id: string }[]).map(({ id }) => id)).toEqual([rowIds[1]])
    const bound = await store.knex("crypto_payment_request").whereNotNull("paid_session_id").select("id")
    expect(bound).toEqual([{ id: rowIds[0] }])
  })

  it("stay as an admin user has left them, whatever their cart becomes and their order asks for later", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await setQuantity(cartId, 2)
    await payAndNotify(store, session.data.payment_request_id)
    const row = async () => await ledgerRow(store, session.id)
    const { id } = await waitUntil(row, ({ attention_reason }) => attention_reason === "orphan_paid")
    const changes = new OrderChanges(store)
    await changes.must(`/crypto-payments/${id}/resolve`, { note: "sent back by hand" })

    const collection = await store.knex("cart_payment_collection").where({ cart_id: cartId }).first()
    const opened = await store.shopper().openSession(collection.payment_collection_id as string)
    await payAndNotify(store, readSession(opened.data).data.payment_request_id)
    const { order_id } = await waitUntil(
      async () => await ledgerRow(store, readSession(opened.data).id),
      ({ settled_at }) => settled_at !== null
    )
    const [item] = await changes.items(String(order_id))
    // It owes as much as was sent back.
    await changes.reprice(String(order_id), [{ id: String(item?.id), quantity: 1, unit_price: 50.03 }])
    await changes.must(`/crypto-payments/orders/${String(order_id)}/payment-link`)
    await store
      .knex("crypto_payment_request")
      .where({ id })
      .update({ next_check_at: new Date(0) })
    await settleDue(store)

    expect(await row()).toMatchObject({
      state: "paid",
      attention_reason: "orphan_paid",
      attention_resolved_at: expect.any(Date),
      paid_session_id: null,
    })
    expect(await readEndState(store.knex, cartId)).toMatchObject({ captures: ["35.02"], orders: 1 })
    const told = (await readTimeline(store, id)).filter(({ type }) => type === "attention")
    expect(told).toEqual([{ type: "attention", detail: { reason: "orphan_paid" } }])
  })

  it("pay it although a case of the gateway was closed before the payment", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.knex("crypto_payment_request").update({
      attention_reason: "gateway_unreadable",
      attention_since: new Date(Date.now() - 60_000),
      attention_resolved_at: new Date(Date.now() - 30_000),
      attention_note: "the gateway was down",
    })
    await setQuantity(cartId, 2)
    await setQuantity(cartId, 1)
    await payAndNotify(store, session.data.payment_request_id)
    await waitUntil(
      async () => await readEndState(store.knex, cartId),
      ({ ledger: [row] }) => row?.settled === true || row?.attention === "orphan_paid"
    )
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  describe("and a session that is claimed", () => {
    const claim = async (id: string, sessionId: string): Promise<boolean> => {
      // The row's present session. Only one row that is not closed may have it.
      await store
        .knex("crypto_payment_request")
        .where({ id })
        .update({ state: "closed", session_id: sessionId })
      const row = (await ledger().requests.require(id)) as LeasedRow
      return await ledger().requests.claimSession(row, { ...row, session_id: sessionId })
    }
    const claims = async (): Promise<(string | null)[]> =>
      (await store.knex("crypto_payment_request").orderBy("paid_at").select("paid_session_id")).map(
        ({ paid_session_id }) => paid_session_id as string | null
      )

    it("by one of them is refused to the other", async () => {
      const { rowIds } = await twoPaidLinks()
      expect(await claim(rowIds[0], "payses_new")).toBe(true)
      expect(await claim(rowIds[1], "payses_new")).toBe(false)
      expect(await claims()).toEqual(["payses_new", null])
    })

    it("by both at the same time is given to one", async () => {
      const { rowIds } = await twoPaidLinks()
      const given = await Promise.all(rowIds.map(async (id) => await claim(id, "payses_new")))
      expect(given.filter((isGiven) => isGiven)).toHaveLength(1)
      expect((await claims()).filter((claimed) => claimed !== null)).toEqual(["payses_new"])
    })

    it("by a payment that is bound to another session is refused", async () => {
      const { rowIds } = await twoPaidLinks()
      const row = (await ledger().requests.require(rowIds[0])) as LeasedRow
      expect(await ledger().requests.claimSession(row, { ...row, session_id: "payses_new" })).toBe(false)
      expect(await claims()).toEqual([null, null])
    })

    it("by one of them keeps that one from paying another session", async () => {
      const { rowIds } = await twoPaidLinks()
      expect(await claim(rowIds[0], "payses_new")).toBe(true)
      expect(await claim(rowIds[0], "payses_new")).toBe(true)
      expect(await claim(rowIds[0], "payses_other")).toBe(false)
      expect(await claims()).toEqual(["payses_new", null])
    })
  })
})
