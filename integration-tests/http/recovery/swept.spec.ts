import { Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"
import { SETTLED_ON_ORDER } from "../../../.medusa/server/src/modules/crypto-payments/checks/windows"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { removeBookings } from "../../support/bookings"
import { PAID_OK, readEndState } from "../../support/end-state"
import { everythingHeard, hear } from "../../support/heard-events"
import { placePaidOrder, type PaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { sweptIds } from "../../support/swept"
import { waitUntil } from "../../support/wait-until"

describeStore("what was settled, and then lost its order without an event", (store) => {
  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
  const row = async (): Promise<CryptoPaymentRequestRow> =>
    (await store.knex("crypto_payment_request").first()) as CryptoPaymentRequestRow

  /** An order that was paid three minutes ago, so that core cannot be about to book it. */
  async function settledOrder(): Promise<PaidOrder> {
    const paid = await placePaidOrder(store)
    await waitUntil(row, ({ settled_at, lease_until }) => settled_at !== null && lease_until === null)
    await store.knex("capture").update({ created_at: store.knex.raw("now() - interval '3 minutes'") })
    return paid
  }
  const sweepFindsNothing = async (): Promise<void> => {
    expect(await sweptIds(store, SETTLED_ON_ORDER)).toEqual([])
  }

  const cancellations: [string, (paid: PaidOrder) => Promise<unknown>][] = [
    [
      "by core's workflow in a process that ended before our subscriber ran",
      async ({ orderId }) => {
        const ended = new Promise<void>((end) => {
          jest.spyOn(ledger().orderLinks, "withdraw").mockImplementation(async () => {
            end()
            await Promise.resolve()
            throw new Error("the process has ended")
          })
        })
        await cancelOrderWorkflow(store.container).run({ input: { order_id: orderId } })
        await ended
        jest.restoreAllMocks()
      },
    ],
    [
      "in the database",
      async ({ orderId }) =>
        await store
          .knex("order")
          .where({ id: orderId })
          .update({ canceled_at: new Date(), status: "canceled" }),
    ],
  ]

  it.each(cancellations)("has a case one tick after it was cancelled %s", async (_, cancel) => {
    const heard = hear(store, "crypto_payment.attention_required")
    const paid = await settledOrder()
    await cancel(paid)
    expect(await row()).toMatchObject({ attention_reason: null, next_check_at: null })

    await store.runSchedule()
    expect(await row()).toMatchObject({ state: "captured", attention_reason: "paid_on_canceled" })
    await waitUntil(
      async () => await Promise.resolve(heard),
      ({ length }) => length > 0
    )
    expect(heard).toEqual([expect.objectContaining({ id: paid.id, reason: "paid_on_canceled" })])
    await sweepFindsNothing()
  })

  it.each([
    [
      "softly",
      async (orderId: string) =>
        await store.knex("order").where({ id: orderId }).update({ deleted_at: new Date() }),
    ],
    [
      "by core's module, with its links",
      async (orderId: string) => {
        await store.knex("order_cart").where({ order_id: orderId }).delete()
        await store.knex("order_payment_collection").where({ order_id: orderId }).delete()
        await store.container.resolve(Modules.ORDER).deleteOrders([orderId])
      },
    ],
  ])(
    "has a case that says so, and nothing is placed anew, when its order was deleted %s",
    async (_, remove) => {
      const { id, cartId, orderId } = await settledOrder()
      await everythingHeard(store)
      await remove(orderId)
      const orders = await store.knex("order").count()
      await store.runSchedule()
      expect(await row()).toMatchObject({ state: "captured", attention_reason: "paid_on_canceled" })
      const { status } = await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())
      expect([status, await store.knex("order").count()]).toEqual([200, orders])
      const note = { note: "sent back by hand" }
      await store.http.post(`/admin/crypto-payments/${id}/resolve`, note, await store.admin())
      await store.shopper().complete(cartId)
      expect(await store.knex("order").count()).toEqual(orders)
      await sweepFindsNothing()
    }
  )

  const removals: [string, (paid: PaidOrder) => Promise<unknown>][] = [
    ["the order's link to its cart was removed", async () => await store.knex("order_cart").delete()],
    [
      "the order's links were removed",
      async () => {
        await store.knex("order_cart").delete()
        await store.knex("order_payment_collection").delete()
      },
    ],
  ]

  it.each(removals)("has a case, and nothing is placed anew, when %s", async (_, remove) => {
    const paid = await settledOrder()
    await remove(paid)
    await store.runSchedule()
    expect(await row()).toMatchObject({ state: "captured", attention_reason: "paid_without_order" })
    expect(await store.knex("order").count()).toEqual([{ count: "1" }])
    expect(await store.knex("capture").count()).toEqual([{ count: "1" }])
    await sweepFindsNothing()
  })

  it("is repaired by itself when its booking on the order was removed", async () => {
    const { cartId } = await settledOrder()
    await removeBookings(store.knex)
    expect(await readEndState(store.knex, cartId)).not.toEqual(PAID_OK)
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    await sweepFindsNothing()
  })

  it("is found when its booking is on another order", async () => {
    const paid = await settledOrder()
    const other = await placePaidOrder(store)
    store.leavesDamage("nothing removes the booking on the other order")
    await store
      .knex("order_transaction")
      .where({ order_id: paid.orderId })
      .update({ order_id: other.orderId })
    await settleDue(store)
    expect(await store.knex("order_transaction").where({ order_id: paid.orderId }).pluck("amount")).toEqual([
      "20.01",
    ])
  })

  it("is waited for while core may still be about to book it, and booked two minutes after the capture", async () => {
    const { cartId } = await settledOrder()
    await store.knex("capture").update({ created_at: new Date() })
    await removeBookings(store.knex)
    await store.runSchedule()
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      transactions: [],
      ledger: [{ state: "captured", settled: true, attention: null }],
    })
    await store.knex("capture").update({ created_at: store.knex.raw("now() - interval '2 minutes'") })
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })
})
