import type { IOrderModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { alignBookings } from "../../../.medusa/server/src/workflows/core/book-capture"
import { PAID_OK, readEndState } from "../../support/end-state"
import { HeldTimers } from "../../support/held-timers"
import { ledgerRow, placePaidOrder, type PaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

describeStore("a capture's bookings on its order", (store) => {
  /** As when the cart's lock is lost between core's look and core's write. */
  async function bookAgain({ orderId, paymentId }: PaidOrder, amount: string): Promise<void> {
    const capture = await store.knex("capture").where({ payment_id: paymentId }).first("id")
    await store.container.resolve<IOrderModuleService>(Modules.ORDER).addOrderTransactions({
      order_id: orderId,
      amount: Number(amount),
      currency_code: "usd",
      reference: "capture",
      reference_id: capture.id as string,
    })
  }

  async function books({ orderId }: PaidOrder) {
    const summary = await store
      .knex("order_summary")
      .where({ order_id: orderId })
      .orderBy("version", "desc")
      .first()
    const transactions = await store.knex("order_transaction").where({ order_id: orderId, deleted_at: null })
    const { paid_total, transaction_total, pending_difference } = summary.totals as Record<string, number>
    return {
      transactions: transactions.map(({ amount }) => Number(amount).toFixed(2)),
      paid: paid_total,
      booked: transaction_total,
      pending: pending_difference,
    }
  }

  /** Nothing is left that would settle the payment once more, and repair what a test plants. */
  async function placeAndSettle(): Promise<PaidOrder> {
    const paid = await placePaidOrder(store)
    await store.untilQuiet()
    return paid
  }

  const RIGHT = { transactions: ["20.01"], paid: 20.01, booked: 20.01, pending: 0 }

  it("are reduced to one, with the order's sums", async () => {
    const paid = await placeAndSettle()
    await bookAgain(paid, "20.01")
    expect(await books(paid)).toEqual({
      transactions: ["20.01", "20.01"],
      paid: 40.02,
      booked: 40.02,
      pending: -20.01,
    })

    expect(await alignBookings(store.container, paid.orderId, paid.paymentId)).toEqual({
      removed: 1,
      added: 0,
    })
    expect(await books(paid)).toEqual(RIGHT)
  })

  it("are left alone when they are right", async () => {
    const paid = await placeAndSettle()
    expect(await alignBookings(store.container, paid.orderId, paid.paymentId)).toEqual({
      removed: 0,
      added: 0,
    })
    expect(await books(paid)).toEqual(RIGHT)
  })

  it("are replaced when the only one has another amount", async () => {
    const paid = await placeAndSettle()
    const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
    const [booked] = await orders.listOrderTransactions({ order_id: paid.orderId })
    await orders.deleteOrderTransactions(booked?.id ?? "")
    await bookAgain(paid, "7.00")

    expect(await alignBookings(store.container, paid.orderId, paid.paymentId)).toEqual({
      removed: 1,
      added: 1,
    })
    expect(await books(paid)).toEqual(RIGHT)
  })

  it("are found and reduced by the schedule, and the payment is not looked at again", async () => {
    const paid = await placeAndSettle()
    await bookAgain(paid, "20.01")
    await store.runSchedule()
    await store.runSchedule()

    expect(await readEndState(store.knex, paid.cartId)).toEqual(PAID_OK)
    expect(await books(paid)).toEqual(RIGHT)
    expect((await ledgerRow(store, paid.session.id)).next_check_at).toBeNull()
  })

  it("are reduced once the cart is free, and are no case before", async () => {
    const paid = await placeAndSettle()
    await bookAgain(paid, "20.01")
    await store.container.resolve(Modules.LOCKING).execute(paid.cartId, async () => {
      const waits = new HeldTimers("locking/dist/providers/in-memory")
      try {
        for (let tick = 0; tick < 2; tick++) {
          await waits.fireUntilOver(store.runSchedule())
          await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
        }
      } finally {
        waits.end()
      }
      expect(await ledgerRow(store, paid.session.id)).toMatchObject({
        attention_reason: null,
        settled_at: expect.any(Date),
      })
      expect((await books(paid)).paid).toBe(40.02)
    })
    await settleDue(store)
    expect(await books(paid)).toEqual(RIGHT)
    expect(await readEndState(store.knex, paid.cartId)).toEqual(PAID_OK)
  })

  it("open a case after ten settles that could not remove the surplus, and close it when one can", async () => {
    const paid = await placeAndSettle()
    await bookAgain(paid, "20.01")
    await store.knex.raw(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`
    )
    await store.knex.raw(
      "CREATE TRIGGER refuse BEFORE DELETE ON order_transaction FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
    const retries = new HeldTimers("workflows/settle-worker")
    try {
      for (let settle = 0; settle <= 10; settle++) {
        await store.runSchedule()
        await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      }
    } finally {
      retries.end()
      await store.knex.raw("DROP FUNCTION refuse CASCADE")
    }
    expect(await ledgerRow(store, paid.session.id)).toMatchObject({
      attention_reason: "settle_fails",
      settled_at: expect.any(Date),
    })
    await settleDue(store)
    expect(await readEndState(store.knex, paid.cartId)).toEqual(PAID_OK)
  })
})
