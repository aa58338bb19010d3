import { deleteDraftOrdersWorkflow } from "@medusajs/medusa/core-flows"
import type { AxiosResponse } from "axios"
import en from "../../../src/admin/i18n/en.json"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import { SETTLED_ON_ORDER } from "../../../.medusa/server/src/modules/crypto-payments/checks/windows"
import { makeDraft, makePaidDraft, type PaidDraft } from "../../support/draft-order"
import { readCollectionEnd } from "../../support/end-state"
import { ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { OrderChanges } from "../../support/order-changes"
import { sweptIds } from "../../support/swept"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("a draft order that is deleted", (store) => {
  const admin = new OrderChanges(store).post
  const remove = async (orderId: string): Promise<AxiosResponse> =>
    await store.http.delete(`/admin/draft-orders/${orderId}`, await store.admin())
  const register = async (id: string, amount: string, reference = "0xabc"): Promise<AxiosResponse> =>
    await admin(`/crypto-payments/${id}/refunds`, { amount, reference })
  const rowOf = async (id: string): Promise<CryptoPaymentRequestRow> =>
    (await store.knex("crypto_payment_request").where({ id }).first()) as CryptoPaymentRequestRow
  const orders = async (): Promise<string[]> =>
    await store.knex("order").where({ deleted_at: null }).pluck("id")

  describe("by an admin", () => {
    it("answers 400 to an admin who deletes it paid, names the way out and deletes nothing", async () => {
      const { orderId, collectionId } = await makePaidDraft(store)
      const { status, data } = await remove(orderId)
      expect([status, data.message]).toEqual([
        400,
        expect.stringMatching(`"${en.actions.registerRefund}".*delete the draft order`),
      ])
      expect(await orders()).toEqual([orderId])
      expect(await readCollectionEnd(store.knex, collectionId)).toMatchObject({ captures: ["15.01"] })
    })

    it("is let through once all of the money is registered as sent back", async () => {
      const { id, orderId } = await makePaidDraft(store)
      expect((await register(id, "15.00", "first")).status).toBe(200)
      expect((await remove(orderId)).status).toBe(400)
      expect((await register(id, "0.01", "second")).status).toBe(200)
      expect((await remove(orderId)).status).toBe(200)
      expect(await orders()).toEqual([])
      await store.runSchedule()
      expect(await rowOf(id)).toMatchObject({ state: "refunded", attention_reason: null })
    })

    it("gets 400 while its link is paid at the gateway and not recorded here, and it is settled then", async () => {
      const { orderId, link } = await makeDraft(store)
      await store.gateway.pay(link.payment_request_id)
      expect((await remove(orderId)).status).toBe(400)
      await waitUntil(
        async () => await ledgerRow(store, link.session_id),
        ({ settled_at }) => settled_at !== null
      )
      expect(await orders()).toEqual([orderId])
    })

    it("gets 400 while the gateway cannot be asked", async () => {
      const { orderId } = await makeDraft(store)
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      expect((await remove(orderId)).status).toBe(400)
      expect(await orders()).toEqual([orderId])
    })

    it("is let through unpaid: its link is not offered any more, and a late payment opens a case", async () => {
      const { id, orderId, link } = await makeDraft(store)
      expect((await remove(orderId)).status).toBe(200)
      expect(await orders()).toEqual([])
      await store.runSchedule()
      expect((await rowOf(id)).state).toBe("superseded")

      await payAndNotify(store, link.payment_request_id)
      await waitUntil(
        async () => await rowOf(id),
        ({ attention_reason }) => attention_reason !== null
      )
      expect(await rowOf(id)).toMatchObject({ state: "paid", attention_reason: "paid_on_canceled" })
      expect(await store.knex("capture").count()).toEqual([{ count: "0" }])
    })
  })

  it.each(["through the admin", "with its rows"])(
    "is not to be paid any more, also if a part had arrived: deleted %s",
    async (how) => {
      const { id, orderId, link } = await makeDraft(store)
      await store.gateway.payPart(link.payment_request_id)
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect(await rowOf(id)).toMatchObject({ state: "open", attention_reason: "partly_paid" })
      const statusOf = async (): Promise<unknown> =>
        (await store.shopper().statusOf(link.session_id, "another")).data
      expect(await statusOf()).toMatchObject({ status: "awaiting_payment", part_arrived: true })
      if (how === "through the admin") {
        expect((await remove(orderId)).status).toBe(200)
      } else {
        await store.knex("order_payment_collection").where({ order_id: orderId }).delete()
        await store.knex("order").where({ id: orderId }).delete()
      }
      await settleDue(store)
      expect(await statusOf()).toEqual({ status: "failed", order_canceled: true })
      expect(await rowOf(id)).toMatchObject({ paid_at: null, attention_reason: "partly_paid" })
    }
  )

  const deletions: [string, (draft: PaidDraft) => Promise<unknown>][] = [
    [
      "by core's workflow",
      async ({ orderId }) =>
        await deleteDraftOrdersWorkflow(store.container).run({ input: { order_ids: [orderId] } }),
    ],
    [
      "in the database, as core marks what is deleted",
      async ({ orderId }) =>
        await store.knex("order").where({ id: orderId }).update({ deleted_at: new Date() }),
    ],
    [
      "in the database with its links",
      async ({ orderId }) => {
        await store.knex("order_payment_collection").where({ order_id: orderId }).delete()
        await store.knex("order").where({ id: orderId }).delete()
      },
    ],
  ]

  describe.each(deletions)("past the guard, %s", (_, deleteIt) => {
    it("has a case one tick later, and its refund can be registered", async () => {
      const draft = await makePaidDraft(store)
      await deleteIt(draft)
      expect(await rowOf(draft.id)).toMatchObject({ state: "captured", attention_reason: null })

      await settleDue(store)
      expect(await rowOf(draft.id)).toMatchObject({
        state: "captured",
        attention_reason: "paid_on_canceled",
        order_id: draft.orderId,
      })
      expect(await sweptIds(store, SETTLED_ON_ORDER)).toEqual([])

      expect((await register(draft.id, "5.00", "first")).status).toBe(200)
      await settleDue(store)
      expect(await rowOf(draft.id)).toMatchObject({ attention_reason: "paid_on_canceled" })
      expect((await register(draft.id, "10.01", "second")).status).toBe(200)
      expect(await rowOf(draft.id)).toMatchObject({ state: "refunded", attention_reason: null })
      const refunds = await store.knex("crypto_payment_refund").orderBy("created_at").pluck("state")
      expect(refunds).toEqual(["applied", "applied"])
    })

    it("has a case for who presses Check now before the schedule has run", async () => {
      const draft = await makePaidDraft(store)
      await deleteIt(draft)
      const { status, data } = await admin(`/crypto-payments/${draft.id}/settle`)
      expect([status, data.crypto_payment.attention_reason]).toEqual([200, "paid_on_canceled"])
      expect(await rowOf(draft.id)).toMatchObject({ state: "captured", attention_reason: "paid_on_canceled" })
    })
  })

  it("gives its collection no link any more where only its row is gone", async () => {
    const { orderId, collectionId } = await makeDraft(store)
    await store.knex("order").where({ id: orderId }).update({ deleted_at: new Date() })
    const { status } = await admin(`/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: "pp_crypto_default",
    })
    expect(status).toBe(400)
    expect(await store.gateway.calls("POST")).toHaveLength(1)
  })

  it("is not shown as the order of its payment", async () => {
    const draft = await makePaidDraft(store)
    await store.knex("order").where({ id: draft.orderId }).update({ deleted_at: new Date() })
    await settleDue(store)
    const { data } = await store.http.get(`/admin/crypto-payments/${draft.id}`, await store.admin())
    expect(data.crypto_payment).toMatchObject({
      order_id: draft.orderId,
      order: null,
      order_display_id: null,
    })
  })
})
