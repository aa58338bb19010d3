import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import type { LeasedRow } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/leases"
import { SETTLED_ON_ORDER } from "../../../.medusa/server/src/modules/crypto-payments/checks/windows"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { makeDraft, makePaidDraft, type DraftOrder } from "../../support/draft-order"
import { readCollectionEnd } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { sweptIds } from "../../support/swept"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("a payment collection that is deleted from its order", (store) => {
  const changes = (): OrderChanges => new OrderChanges(store)
  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
  const rowOf = async (id: string): Promise<CryptoPaymentRequestRow> =>
    (await store.knex("crypto_payment_request").where({ id }).first()) as CryptoPaymentRequestRow
  const collectionsOf = async (orderId: string): Promise<string[]> =>
    await store
      .knex("order_payment_collection")
      .where({ order_id: orderId, deleted_at: null })
      .orderBy("created_at")
      .pluck("payment_collection_id")
  const transactionsOf = async (orderId: string): Promise<string[]> =>
    (
      await store.knex("order_transaction").where({ order_id: orderId, deleted_at: null }).pluck("amount")
    ).map((amount) => Number(amount).toFixed(2))
  const readAll = async (): Promise<void> => {
    await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
    await settleDue(store)
  }

  async function remove(collectionId: string): Promise<void> {
    const { status } = await store.http.delete(
      `/admin/payment-collections/${collectionId}`,
      await store.admin()
    )
    expect(status).toBe(200)
  }

  async function pay(paymentRequestId: string, id: string): Promise<CryptoPaymentRequestRow> {
    await payAndNotify(store, paymentRequestId)
    return await waitUntil(
      async () => await rowOf(id),
      ({ settled_at, attention_reason, lease_until }) =>
        lease_until === null && (settled_at !== null || attention_reason !== null)
    )
  }

  async function dismiss({ orderId, collectionId }: DraftOrder): Promise<void> {
    await store.container.resolve(ContainerRegistrationKeys.LINK).dismiss({
      [Modules.ORDER]: { order_id: orderId },
      [Modules.PAYMENT]: { payment_collection_id: collectionId },
    })
  }

  const newLink = async (orderId: string): Promise<CryptoPaymentRequestRow> => {
    const { payment_link } = await changes().must(`/crypto-payments/orders/${orderId}/payment-link`)
    return (await store
      .knex("crypto_payment_request")
      .where({ payment_link })
      .first()) as CryptoPaymentRequestRow
  }

  /** The merchant asks for a link of what the order owes: the money that waits is used instead. */
  async function use({ orderId, id }: Pick<DraftOrder, "orderId" | "id">): Promise<CryptoPaymentRequestRow> {
    const { status, data } = await changes().post(`/crypto-payments/orders/${orderId}/payment-link`)
    expect([status, data.code]).toEqual([400, "already_paid"])
    await settleDue(store)
    return await rowOf(id)
  }

  /** Captured and booked on the order, once, in a collection of the order. */
  async function expectPaid({ orderId }: DraftOrder, row: CryptoPaymentRequestRow): Promise<void> {
    expect(row).toMatchObject({ state: "captured", attention_reason: null, order_id: orderId })
    expect(await collectionsOf(orderId)).toEqual([row.payment_collection_id])
    expect(await readCollectionEnd(store.knex, String(row.payment_collection_id))).toEqual({
      status: "completed",
      captured: "15.01",
      refunded: "0.00",
      captures: ["15.01"],
    })
    expect(await store.knex("capture")).toHaveLength(1)
    expect(await transactionsOf(orderId)).toEqual(["15.01"])
    expect((await changes().books(orderId)).pending).toBe(0)
    expect((await changes().post(`/crypto-payments/orders/${orderId}/payment-link`)).status).toBe(400)
    expect(await sweptIds(store, SETTLED_ON_ORDER)).toEqual([])
  }

  const deletions: [string, (draft: DraftOrder) => Promise<unknown>][] = [
    [
      "in the admin, with its session",
      async ({ collectionId }) => {
        await remove(collectionId)
        const session = await store.knex("payment_session").first("deleted_at")
        expect(session.deleted_at).not.toBeNull()
      },
    ],
    [
      "by code that takes it off the order",
      async (draft) => {
        await dismiss(draft)
        const session = await store.knex("payment_session").first("deleted_at")
        expect(session.deleted_at).toBeNull()
      },
    ],
  ]

  it("in the admin, and whose link is paid: a case, until the merchant asks for a link of that amount", async () => {
    const draft = await makeDraft(store)
    await remove(draft.collectionId)
    expect(await pay(draft.link.payment_request_id, draft.id)).toMatchObject({
      state: "paid",
      attention_reason: "orphan_paid",
      order_id: draft.orderId,
    })
    expect(await store.knex("capture")).toEqual([])
    const row = await use(draft)
    expect(row.payment_collection_id).not.toBe(draft.collectionId)
    await expectPaid(draft, row)
  })

  it("by code, and whose link is paid: it is the order's again, and the payment is booked there", async () => {
    const draft = await makeDraft(store)
    await dismiss(draft)
    const row = await pay(draft.link.payment_request_id, draft.id)
    expect(row.payment_collection_id).toBe(draft.collectionId)
    await expectPaid(draft, row)
  })

  describe.each(deletions)("%s", (_, deleteIt) => {
    async function deletedDraft(): Promise<DraftOrder> {
      const draft = await makeDraft(store)
      await deleteIt(draft)
      return draft
    }

    it("leaves its link watched, and the next link is of another collection", async () => {
      const draft = await deletedDraft()
      await readAll()
      expect(await rowOf(draft.id)).toMatchObject({
        order_id: draft.orderId,
        attention_reason: null,
        next_check_at: expect.any(Date),
      })
      const next = await newLink(draft.orderId)
      expect(next).toMatchObject({ amount: "15.01", order_id: draft.orderId })
      expect(await collectionsOf(draft.orderId)).toEqual([next.payment_collection_id])
      expect(next.payment_collection_id).not.toBe(draft.collectionId)
    })

    it("and whose link is paid although there is another one: booked on the order, and the other is a duplicate", async () => {
      const draft = await deletedDraft()
      await readAll()
      const next = await newLink(draft.orderId)
      const row = await pay(draft.link.payment_request_id, draft.id)
      expect(row).toMatchObject({ state: "captured", attention_reason: null, order_id: draft.orderId })
      expect(await transactionsOf(draft.orderId)).toEqual(["15.01"])
      expect((await changes().books(draft.orderId)).pending).toBe(0)
      await settleDue(store)
      expect((await rowOf(next.id)).state).toBe("superseded")
      expect(await pay(String(next.payment_request_id), next.id)).toMatchObject({
        state: "paid",
        attention_reason: "duplicate_payment",
      })
      await nothingIsDue(store)
    })

    it("and whose order was paid another way: what the link brings is a duplicate", async () => {
      const draft = await deletedDraft()
      const other = await changes().collection(draft, 15.01)
      await changes().must(`/payment-collections/${other}/mark-as-paid`, { order_id: draft.orderId })
      expect(await pay(draft.link.payment_request_id, draft.id)).toMatchObject({
        state: "paid",
        attention_reason: "duplicate_payment",
      })
      expect(await readCollectionEnd(store.knex, draft.collectionId)).toMatchObject({ captures: [] })
    })

    it("and whose order is cancelled: a payment of the link opens a case", async () => {
      const draft = await deletedDraft()
      await changes().must(`/draft-orders/${draft.orderId}/convert-to-order`)
      await changes().must(`/orders/${draft.orderId}/cancel`)
      expect(await pay(draft.link.payment_request_id, draft.id)).toMatchObject({
        state: "paid",
        attention_reason: "paid_on_canceled",
      })
      expect(await readCollectionEnd(store.knex, draft.collectionId)).toMatchObject({ captures: [] })
    })
  })

  describe("in the admin, after the provider has claimed its session and before core has a payment", () => {
    async function deletedAfterClaim(): Promise<DraftOrder> {
      const draft = await makeDraft(store)
      await store.gateway.pay(draft.link.payment_request_id)
      const row = await ledger().gateways.check(await rowOf(draft.id))
      expect(await ledger().requests.claimSession(row as LeasedRow, row)).toBe(true)
      await remove(draft.collectionId)
      return draft
    }

    it("the payment is a case, and is captured once when a collection of the order asks for it", async () => {
      const draft = await deletedAfterClaim()
      await readAll()
      expect(await rowOf(draft.id)).toMatchObject({ state: "paid", attention_reason: "orphan_paid" })
      const collectionId = await changes().collection(draft, 15.01)
      await changes().must(`/crypto-payments/${draft.id}/settle`)
      await settleDue(store)
      const row = await rowOf(draft.id)
      expect(row.payment_collection_id).toBe(collectionId)
      expect(await store.knex("payment").pluck("payment_session_id")).toEqual([row.paid_session_id])
      await expectPaid(draft, row)
    })

    it.each([
      ["a payment", null],
      ["a payment that was deleted", new Date()],
    ])("a claim for which core has %s is kept, and a case is opened", async (_, deleted_at) => {
      const draft = await deletedAfterClaim()
      const claimed = await rowOf(draft.id)
      await store.knex("payment").insert({
        id: "pay_late",
        amount: 15.01,
        raw_amount: { value: "15.01" },
        currency_code: "usd",
        provider_id: claimed.provider_id,
        payment_session_id: claimed.paid_session_id,
        payment_collection_id: draft.collectionId,
        deleted_at,
      })
      await readAll()
      expect(await rowOf(draft.id)).toMatchObject({
        state: "paid",
        attention_reason: "orphan_paid",
        paid_session_id: claimed.paid_session_id,
      })
      expect(await transactionsOf(draft.orderId)).toEqual([])
    })
  })

  it("of the rest of an order, and whose link is paid: a case, and the order owes nothing once it is used", async () => {
    const order = await placePaidOrder(store)
    await changes().raise(order.orderId)
    const rest = await newLink(order.orderId)
    expect(rest.amount).toBe("15.01")
    await remove(String(rest.payment_collection_id))
    expect((await pay(String(rest.payment_request_id), rest.id)).attention_reason).toBe("orphan_paid")
    const row = await use({ orderId: order.orderId, id: rest.id })
    expect(row).toMatchObject({ state: "captured", attention_reason: null, order_id: order.orderId })
    expect(await transactionsOf(order.orderId)).toEqual(["20.01", "15.01"])
    expect((await changes().books(order.orderId)).pending).toBe(0)
  })

  it("in the admin, of an order that owes less than the link asks for by then: a case is opened", async () => {
    const draft = await makeDraft(store)
    await remove(draft.collectionId)
    const other = await changes().collection(draft, 5)
    await changes().must(`/payment-collections/${other}/mark-as-paid`, { order_id: draft.orderId })
    expect(await pay(draft.link.payment_request_id, draft.id)).toMatchObject({
      state: "paid",
      attention_reason: "orphan_paid",
    })
    expect(await collectionsOf(draft.orderId)).toEqual([other])
  })

  it("by code after it was paid: it is the order's again within minutes, and is looked at no more", async () => {
    const draft = await makePaidDraft(store)
    await dismiss(draft)
    await store.knex("capture").update({ created_at: store.knex.raw("created_at - interval '3 minutes'") })
    await settleDue(store)
    expect(await collectionsOf(draft.orderId)).toEqual([draft.collectionId])
    expect(await rowOf(draft.id)).toMatchObject({
      state: "captured",
      attention_reason: null,
      order_id: draft.orderId,
      next_check_at: null,
    })
    expect(await transactionsOf(draft.orderId)).toEqual(["15.01"])
    expect(await sweptIds(store, SETTLED_ON_ORDER)).toEqual([])
  })

  it("by code, and whose payment an earlier release settled without its order: it is booked there", async () => {
    const draft = await makeDraft(store)
    await dismiss(draft)
    await pay(draft.link.payment_request_id, draft.id)
    // As that release left it.
    await store
      .knex("order_payment_collection")
      .where({ order_id: draft.orderId })
      .update({ deleted_at: new Date() })
    const orders = store.container.resolve(Modules.ORDER)
    const booked = await orders.listOrderTransactions({ order_id: draft.orderId })
    await orders.deleteOrderTransactions(booked.map(({ id }) => id))
    await store.knex("capture").update({ created_at: store.knex.raw("created_at - interval '3 minutes'") })

    await readAll()
    expect(await rowOf(draft.id)).toMatchObject({ state: "captured", attention_reason: null })
    expect(await ledgerRow(store, draft.link.session_id)).toMatchObject({ order_id: draft.orderId })
    expect(await collectionsOf(draft.orderId)).toEqual([draft.collectionId])
    expect(await transactionsOf(draft.orderId)).toEqual(["15.01"])
    expect((await changes().books(draft.orderId)).pending).toBe(0)
  })
})
