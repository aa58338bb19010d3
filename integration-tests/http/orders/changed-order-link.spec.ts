import type { AxiosResponse } from "axios"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import { OrderChanges } from "../../support/order-changes"
import { nothingIsDue } from "../../support/settle-due"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import {
  cancelByHand,
  PLACED_FIRST,
  placeUnpaidOrder,
  settleLater,
  type UnpaidOrder,
} from "../../support/unpaid-order"
import { waitUntil } from "../../support/wait-until"

const POLLS = 20

describeStore(
  "the page of a shopper whose unpaid order was changed",
  (store) => {
    const changes = (): OrderChanges => new OrderChanges(store)

    const poll = async ({ session, cartId }: UnpaidOrder): Promise<AxiosResponse> =>
      await store.shopper().statusOf(session.id, cartId)

    /** Core gives a session that it restores another id. */
    const oldRow = async ({ session }: UnpaidOrder): Promise<CryptoPaymentRequestRow> =>
      (await store
        .knex("crypto_payment_request")
        .where({ payment_request_id: session.data.payment_request_id })
        .first()) as CryptoPaymentRequestRow

    const creations = async (): Promise<number> =>
      (await store.gateway.calls("POST")).filter(({ path }) => path.endsWith("/payments")).length

    async function changed(change: (order: UnpaidOrder) => Promise<void>): Promise<UnpaidOrder> {
      const order = await placeUnpaidOrder(store)
      const before = await oldRow(order)
      await change(order)
      // The plugin hears of the edit a moment later, and reads the gateway then.
      await waitUntil(
        async () => await oldRow(order),
        ({ last_checked_at }) => last_checked_at?.getTime() !== before.last_checked_at?.getTime()
      )
      await nothingIsDue(store)
      await store.gateway.clearCalls()
      return order
    }

    /** 20.01 becomes 35.02. */
    const grown = async (): Promise<UnpaidOrder> =>
      await changed(async ({ orderId }) => {
        await changes().raise(orderId)
      })

    /** 20.01 becomes 15.00. */
    const lowered = async (): Promise<UnpaidOrder> =>
      await changed(async ({ orderId }) => {
        const items = await changes().items(orderId)
        await changes().reprice(
          orderId,
          items.map((item) => ({ ...item, unit_price: 10 }))
        )
      })

    it.each([
      ["costs more now", grown],
      ["costs less now", lowered],
    ])("is given no link by its polls, which make none, of an order that %s", async (_, change) => {
      const order = await change()
      for (let n = 0; n < POLLS; n++) {
        const { data, headers } = await poll(order)
        expect(data).toMatchObject({ status: "awaiting_payment", order_kept: true })
        expect(data).not.toHaveProperty("payment_link")
        expect(headers["retry-after"]).toBe("2")
      }
      await store.untilQuiet()
      expect(await creations()).toBe(0)
      expect(await oldRow(order)).toMatchObject({ state: "open", amount: "20.01", attention_reason: null })
    })

    it("is given the link that the payment step has made", async () => {
      const order = await grown()
      const again = readSession((await store.shopper().openSession(order.collectionId)).data)
      expect((await poll(order)).data).toMatchObject({
        status: "awaiting_payment",
        payment_link: again.data.payment_link,
      })
      expect(await creations()).toBe(1)
      const rows = store.knex("crypto_payment_request").orderBy("created_at").select("state", "amount")
      expect(await rows).toEqual([
        { state: "superseded", amount: "20.01" },
        { state: "open", amount: "35.02" },
      ])
    })

    /** A read has seen the word. */
    async function beingPaid(word: string): Promise<UnpaidOrder> {
      const order = await placeUnpaidOrder(store)
      await store.gateway.setStatus(order.session.data.payment_request_id, word)
      await settleLater(store, 0)
      return order
    }

    it.each(["PENDING", "COMPLETED"])(
      "is told of its own link while that says %s, and not to pay the one that somebody else asked for",
      async (word) => {
        const order = await beingPaid(word)
        await changes().raise(order.orderId)
        await store.shopper().openSession(order.collectionId)
        expect(await oldRow(order)).toMatchObject({ state: "superseded", gateway_status: word })
        expect(await store.knex("crypto_payment_request").where({ state: "open" })).toHaveLength(1)
        expect((await poll(order)).data).toEqual({ status: "processing", order_kept: true })
      }
    )

    it("is told that its order is cancelled, also while somebody pays it, and that the shop looks at what is reported", async () => {
      const order = await beingPaid("PENDING")
      expect(await cancelByHand(store, order.orderId)).toEqual([200, "canceled"])
      expect((await poll(order)).data).toEqual({ status: "failed", order_canceled: true })
      const id = order.session.data.payment_request_id
      await store.gateway.pay(id, { visibleAfterReads: 1000 })
      expect(await store.gateway.notify(id)).toEqual([200])
      expect((await poll(order)).data).toEqual({ status: "processing", review: true })
    })

    it("is asked for no other sum while the money of its former link has a case", async () => {
      const order = await grown()
      const again = readSession((await store.shopper().openSession(order.collectionId)).data)
      const id = order.session.data.payment_request_id
      await store.gateway.pay(id)
      expect(await store.gateway.notify(id)).toEqual([200])
      await waitUntil(
        async () => await oldRow(order),
        ({ attention_reason }) => attention_reason === "orphan_paid"
      )
      const told = { status: "processing", review: true }
      expect((await poll(order)).data).toEqual(told)
      expect((await poll({ ...order, session: again })).data).toEqual(told)
      const refused = await store.shopper().openSession(order.collectionId)
      expect([refused.status, refused.data.message]).toEqual([
        400,
        "Your payment was received and the shop is checking it. Do not pay again.",
      ])
      expect(await creations()).toBe(1)
    })

    it("has the money used that waits for exactly what the order asks for again, of two that wait", async () => {
      const order = await placeUnpaidOrder(store)
      const linkAt = async (unit_price: number) => {
        const items = await changes().items(order.orderId)
        await changes().reprice(
          order.orderId,
          items.map((item) => ({ ...item, unit_price }))
        )
        return await store.shopper().openSession(order.collectionId)
      }
      const second = readSession((await linkAt(10)).data)
      await linkAt(12)
      const paid = [second, order.session].map(({ data }) => data.payment_request_id)
      for (const id of paid) {
        await store.gateway.pay(id)
        expect(await store.gateway.notify(id)).toEqual([200])
      }
      const cases = async () =>
        await store
          .knex("crypto_payment_request")
          .orderBy("created_at")
          .select("amount", "state", "attention_reason")
      const isCase = { state: "paid", attention_reason: "orphan_paid" }
      await waitUntil(cases, (rows) => rows.filter(({ state }) => state === "paid").length === 2)
      await store.untilQuiet()
      expect(await cases()).toMatchObject([isCase, isCase, { state: "open" }])
      expect((await linkAt(10)).status).toBe(400)
      const end = await waitUntil(cases, ([, used]) => used?.state === "captured")
      expect(end).toMatchObject([
        { amount: "20.01", attention_reason: expect.any(String) },
        { amount: "15.00", state: "captured", attention_reason: null },
        { amount: "17.00", state: "superseded" },
      ])
    })

    it("is given its link by the order's id too, for whoever pays it without a cart", async () => {
      const order = await placeUnpaidOrder(store)
      const { payment_link } = await oldRow(order)
      const linkFor = async (id: string): Promise<unknown> =>
        (await poll({ ...order, cartId: id })).data.payment_link
      expect(await linkFor(order.orderId)).toBe(payment_link)
      expect(await linkFor(`${order.orderId}0`)).toBeUndefined()
    })

    it("pays with the old link what it asked for", async () => {
      const order = await grown()
      const id = order.session.data.payment_request_id
      await store.gateway.pay(id, { visibleAfterReads: 2 })
      expect(await store.gateway.notify(id)).toEqual([200])
      await poll(order)
      const paid = await waitUntil(
        async () => await oldRow(order),
        ({ settled_at }) => settled_at !== null
      )
      expect(paid).toMatchObject({ state: "captured", attention_reason: "order_underpaid" })
      expect((await store.knex("capture").select("amount")).map(({ amount }) => Number(amount))).toEqual([
        20.01,
      ])
    })
  },
  PLACED_FIRST
)
