import { removeBookings } from "../../support/bookings"
import { PAID_OK, readEndState } from "../../support/end-state"
import { diedWhileCompleting } from "../../support/died-while-completing"
import { ledgerRow, payAndNotify, untilAtRest } from "../../support/paid-checkout"
import { payWithoutOrder } from "../../support/refused-orders"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

describeStore("core killed while it placed a paid order", (store) => {
  /** What the database holds when core dies after the capture, before the rows named here; three minutes ago. */
  async function diedBefore(
    tables: ("order_cart" | "order_transaction")[]
  ): Promise<{ cartId: string; id: string }> {
    const { cartId, session } = await store.shopper().checkout()
    await payAndNotify(store, session.data.payment_request_id)
    await untilAtRest(store, cartId)
    if (tables.includes("order_cart")) {
      await store.knex("order_cart").delete()
    }
    if (tables.includes("order_transaction")) {
      await removeBookings(store.knex)
    }
    await store.knex("capture").update({ created_at: store.knex.raw("now() - interval '3 minutes'") })
    await store
      .knex("crypto_payment_request")
      .update({ settled_at: null, order_announced_at: null, next_check_at: new Date(0) })
    const { id } = await store.knex("crypto_payment_request").first("id")
    return { cartId, id }
  }

  it.each([
    ["before the capture was booked", ["order_transaction" as const]],
    ["before the order had its cart", ["order_cart" as const]],
    ["before either", ["order_cart" as const, "order_transaction" as const]],
  ])("ends with one order and one booking, %s", async (_, tables) => {
    const { cartId } = await diedBefore(tables)
    await settleDue(store)

    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    const { data } = await store.shopper().complete(cartId)
    expect(data.type).toBe("order")
    expect(await store.knex("order").count()).toEqual([{ count: "1" }])
  })

  it("is placed with its items not allocated when core died before it reserved the stock", async () => {
    const paid = await diedWhileCompleting(store, {
      links: ["order_cart", "order_payment_collection"],
      isCaptured: true,
    })
    await store.knex("reservation_item").delete()
    await store
      .knex("inventory_level")
      .update({ reserved_quantity: 0, raw_reserved_quantity: { value: "0", precision: 20 } })
    await settleDue(store)
    expect(await readEndState(store.knex, paid.cartId)).toEqual(PAID_OK)
    expect(await store.knex("reservation_item").select("id")).toEqual([])
  })

  /** Core dates the payment and sums the collection up after it has written the capture. */
  async function loseSums(): Promise<void> {
    await store.knex("payment").update({ captured_at: null })
    await store.knex("payment_collection").update({ captured_amount: 0, status: "authorized" })
  }

  it("ends with the collection's sums, which core had not written before it booked", async () => {
    const { cartId } = await diedBefore(["order_transaction"])
    await loseSums()
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("ends with the collection's sums, which core had not written before it placed the order", async () => {
    const { cartId } = await payWithoutOrder(store)
    await loseSums()
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("opens a case when the order was taken back and its links were left: core never completes such a cart", async () => {
    const { cartId } = await diedBefore(["order_transaction"])
    await store.knex.raw(`TRUNCATE "order" CASCADE`)
    await store.knex("cart").update({ completed_at: null })
    expect(await store.knex("order_cart").whereNull("deleted_at").count()).toEqual([{ count: "1" }])
    await store.runSchedule()

    expect(await readEndState(store.knex, cartId)).toEqual({
      ...PAID_OK,
      transactions: [],
      ledger: [{ state: "captured", settled: false, attention: "paid_without_order" }],
    })
  })

  it("opens a case when ten settles could not book the capture, and books it once one can", async () => {
    const { cartId } = await diedBefore(["order_transaction"])
    await store.knex("crypto_payment_request").update({ settles_begun: 10 })
    await store.knex.raw(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`
    )
    await store.knex.raw(
      "CREATE TRIGGER refuse BEFORE INSERT ON order_transaction FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
    try {
      await store.runSchedule()
      expect(await readEndState(store.knex, cartId)).toEqual({
        ...PAID_OK,
        transactions: [],
        ledger: [{ state: "captured", settled: false, attention: "settle_fails" }],
      })
    } finally {
      await store.knex.raw("DROP FUNCTION refuse CASCADE")
    }

    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("opens a case when its order was cancelled meanwhile, also after an earlier case was closed", async () => {
    const died = await diedWhileCompleting(store, {
      links: ["order_cart", "order_payment_collection"],
      isCaptured: true,
    })
    const { cartId, orderId } = died
    await store.knex("crypto_payment_request").update({
      attention_reason: "paid_without_order",
      attention_since: store.knex.fn.now(),
      attention_resolved_at: store.knex.fn.now(),
      attention_note: "the order was placed by hand",
    })
    await store
      .knex("order")
      .where({ id: orderId })
      .update({ status: "canceled", canceled_at: store.knex.fn.now() })
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toMatchObject({ captures: ["20.01"] })
    expect(await ledgerRow(store, died.session.id)).toMatchObject({
      state: "captured",
      captured_at: expect.any(Date),
      attention_reason: "paid_on_canceled",
      attention_resolved_at: null,
    })
  })

  it("waits before it steps in, because core may still be at it", async () => {
    const { cartId, id } = await diedBefore(["order_transaction"])
    await store.knex("capture").update({ created_at: new Date() })
    await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())

    const { ledger, transactions } = await readEndState(store.knex, cartId)
    expect([ledger[0]?.settled, transactions]).toEqual([false, []])
  })
})
