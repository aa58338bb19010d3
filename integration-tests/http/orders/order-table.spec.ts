import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import { makePaidDraft } from "../../support/draft-order"
import { readEndState } from "../../support/end-state"
import { everythingHeard } from "../../support/heard-events"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { nothingIsDue, settleDue, settleToEnd } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { requestTransfer } from "../../support/transfer-request"
import {
  ageOrder,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  type UnpaidOrder,
} from "../../support/unpaid-order"

interface KnownOrder extends UnpaidOrder {
  /** The ledger row's id. */
  id: string
}

/** The cells of the table in docs/orders.md, "What can happen to an order", that no other spec is about. */
describeStore(
  "what can happen to an order",
  (store) => {
    const changes = (): OrderChanges => new OrderChanges(store)
    const row = async (id: string): Promise<CryptoPaymentRequestRow> =>
      (await store.knex("crypto_payment_request").where({ id }).first()) as CryptoPaymentRequestRow
    const casesOf = async ({ cartId }: UnpaidOrder): Promise<(string | null)[]> =>
      (await readEndState(store.knex, cartId)).ledger.map(({ attention }) => attention)
    async function settled(order: UnpaidOrder): Promise<KnownOrder> {
      await endOf(store, order.cartId)
      const { id } = await ledgerRow(store, order.session.id)
      await settleToEnd(store, id)
      return { ...order, id }
    }

    /** 20.01 of 35.02 are paid. */
    async function partPaid(): Promise<KnownOrder> {
      const order = await placeUnpaidOrder(store)
      await store.gateway.pay(order.session.data.payment_request_id)
      await changes().raise(order.orderId)
      await settleDue(store)
      return await settled(order)
    }

    async function paid(): Promise<KnownOrder> {
      const order = await placeUnpaidOrder(store)
      await payAndNotify(store, order.session.data.payment_request_id)
      return await settled(order)
    }

    const refund = async ({ id }: KnownOrder): Promise<number> =>
      (await changes().post(`/crypto-payments/${id}/refunds`, { amount: "20.01", reference: `of ${id}` }))
        .status

    async function refunded(): Promise<KnownOrder> {
      const order = await paid()
      expect(await refund(order)).toBe(200)
      return order
    }

    /** Each item is sold for this from now on; 5.00 is the shipping. */
    async function sellFor({ orderId }: UnpaidOrder, unitPrice: number): Promise<void> {
      const items = await changes().items(orderId)
      await changes().reprice(
        orderId,
        items.map((item) => ({ ...item, unit_price: unitPrice }))
      )
    }

    /** As the order's page does it: the button is there while `owed` says how much the link asks for. */
    const linkOf = async ({ id, orderId }: KnownOrder): Promise<[number, string | undefined]> => {
      const detail = await store.http.get(`/admin/crypto-payments/${id}?live=false`, await store.admin())
      const { status, data } = await changes().post(`/crypto-payments/orders/${orderId}/payment-link`)
      const found = await store
        .knex("crypto_payment_request")
        .where({ payment_link: data.payment_link ?? "" })
        .first("amount")
      const amount = found?.amount as string | undefined
      expect(detail.data.crypto_payment.owed?.amount).toBe(amount)
      return [status, amount]
    }

    const complete = async ({ orderId }: UnpaidOrder): Promise<void> => {
      await changes().must(`/orders/${orderId}/complete`)
      await changes().must(`/orders/${orderId}/archive`)
    }

    it("edited to cost less while paid too little: the case closes itself when nothing is owed any more", async () => {
      const order = await partPaid()
      expect(await casesOf(order)).toEqual(["order_underpaid"])
      await sellFor(order, 7.505)
      await settleDue(store)
      expect((await row(order.id)).attention_reason).toBeNull()
      expect((await changes().books(order.orderId)).pending).toBeCloseTo(0)
    })

    it("edited to cost less than was paid too little: no case, and no link", async () => {
      const order = await partPaid()
      await sellFor(order, 0)
      await settleDue(store)
      expect((await row(order.id)).attention_reason).toBeNull()
      expect((await linkOf(order))[0]).toBe(400)
      expect((await changes().books(order.orderId)).pending).toBeCloseTo(-15.01)
    })

    it("edited to owe nothing while its link is open: the link is not offered, and what it brings is a case", async () => {
      const order = await placeUnpaidOrder(store)
      const credit = await changes().post(`/orders/${order.orderId}/credit-lines`, {
        amount: 20.01,
        reference: "gift",
        reference_id: "gift",
      })
      expect(credit.status).toBe(200)
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      const shown = await store.shopper().statusOf(order.session.id, order.cartId)
      expect(shown.data.payment_link).toBeUndefined()
      const { id } = await ledgerRow(store, order.session.id)
      expect(await row(id)).toMatchObject({ state: "open", next_check_at: expect.any(Date) })

      await payAndNotify(store, order.session.data.payment_request_id)
      await endOf(store, order.cartId)
      expect((await row(id)).attention_reason).not.toBeNull()
    })

    it("loses its links before it is paid: a case names it, and no second order is placed", async () => {
      const order = await placeUnpaidOrder(store)
      await everythingHeard(store)
      for (const link of ["order_cart", "order_payment_collection"]) {
        await store.knex(link).where({ order_id: order.orderId }).delete()
      }
      await payAndNotify(store, order.session.data.payment_request_id)
      await settleDue(store)
      // Until then core may be placing it.
      await store.knex("order").update({ created_at: store.knex.raw("now() - interval '3 minutes'") })
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      expect(await store.knex("order").pluck("id")).toEqual([order.orderId])
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        captures: [],
        ledger: [{ state: "paid", attention: "paid_without_order" }],
      })
    })

    it.each([
      ["paid", paid, "captured"],
      ["refunded in full", refunded, "refunded"],
    ])("edited to cost more once it was %s: the payment link is of what is owed", async (_, make, state) => {
      const order = await make()
      await changes().raise(order.orderId)
      await settleDue(store)
      const { pending } = await changes().books(order.orderId)
      expect(await linkOf(order)).toEqual([200, pending.toFixed(2)])
      expect(await row(order.id)).toMatchObject({ state, attention_reason: null })
    })

    it("edited to cost less once it was refunded in full: nothing", async () => {
      const order = await refunded()
      await sellFor(order, 10)
      await settleDue(store)
      expect(await row(order.id)).toMatchObject({ state: "refunded", attention_reason: null })
    })

    it.each([
      ["exchanged", async (id: string): Promise<unknown> => await changes().exchange(id, 50)],
      ["claimed", async (id: string): Promise<unknown> => await changes().claim(id, 50)],
    ])("%s while paid too little: the case says what the order owes then", async (_, change) => {
      const order = await partPaid()
      await change(order.orderId)
      await settleDue(store)
      const owed = await changes().owed(order.orderId)
      expect(owed).toBeGreaterThan(0)
      expect(await row(order.id)).toMatchObject({
        attention_reason: "order_underpaid",
        attention_amount: owed.toFixed(2),
      })
    })

    it("returned while paid too little: the case stays until the items are back, then Medusa shows what to refund", async () => {
      const order = await partPaid()
      const before = await row(order.id)
      const id = await changes().requestReturn(order.orderId)
      await settleDue(store)
      expect(await row(order.id)).toMatchObject({
        attention_reason: "order_underpaid",
        attention_amount: before.attention_amount,
      })
      await changes().receiveReturn(id)
      await settleDue(store)
      expect((await changes().books(order.orderId)).pending).toBeLessThan(0)
      expect(await row(order.id)).toMatchObject({ state: "captured", attention_reason: null })
    })

    it("claimed or returned once it was refunded in full: nothing", async () => {
      const order = await refunded()
      await changes().requestReturn(order.orderId)
      await settleDue(store)
      expect(await row(order.id)).toMatchObject({ state: "refunded", attention_reason: null })
    })

    it("asked for by another account while paid too little: a refund is refused until the request is cancelled", async () => {
      const order = await partPaid()
      await requestTransfer(store, order.orderId)
      expect(await refund(order)).toBe(400)
      await changes().must(`/orders/${order.orderId}/transfer/cancel`)
      expect(await refund(order)).toBe(200)
    })

    it.each([
      ["paid too little", partPaid, ["order_underpaid"]],
      ["paid", paid, [null]],
      ["refunded in full", refunded, [null]],
    ])("whose time to pay is over, %s: it stays", async (_, make, cases) => {
      const order = await make()
      await ageOrder(store, 24 * 60)
      await settleDue(store)
      expect([await orderStatus(store, order.orderId), await casesOf(order)]).toEqual(["pending", cases])
    })

    it.each([
      ["paid too little", partPaid, ["order_underpaid"]],
      ["paid", paid, [null]],
      ["refunded in full", refunded, [null]],
    ])("completed and archived, %s: nothing", async (_, make, cases) => {
      const order = await make()
      await complete(order)
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      expect([await orderStatus(store, order.orderId), await casesOf(order)]).toEqual(["archived", cases])
    })

    it("cancelled while paid too little: refused until the money is sent back", async () => {
      const order = await partPaid()
      const cancel = async (): Promise<number> =>
        (await changes().post(`/orders/${order.orderId}/cancel`)).status
      expect([await cancel(), await orderStatus(store, order.orderId)]).toEqual([400, "pending"])
      expect(await refund(order)).toBe(200)
      await nothingIsDue(store)
      expect([await cancel(), await orderStatus(store, order.orderId)]).toEqual([200, "canceled"])
    })

    it("paid another way as well, once it is paid: a duplicate when the other payment came first", async () => {
      const order = await placeUnpaidOrder(store)
      await store.gateway.pay(order.session.data.payment_request_id)
      await store
        .knex("crypto_payment_request")
        .update({ next_check_at: store.knex.raw("now() + interval '1 hour'") })
      const other = await changes().collection(order, 20.01)
      const marked = await changes().post(`/payment-collections/${other}/mark-as-paid`, {
        order_id: order.orderId,
      })
      expect(marked.status).toBe(200)
      await store.gateway.notify(order.session.data.payment_request_id)
      await endOf(store, order.cartId)
      expect(await casesOf(order)).toEqual(["duplicate_payment"])
    })

    describe("whose provider was taken off the region", () => {
      const link = () => store.container.resolve(ContainerRegistrationKeys.LINK)
      const offering = () => ({
        [Modules.REGION]: { region_id: store.seeded.regions.usd },
        [Modules.PAYMENT]: { payment_provider_id: "pp_crypto_default" },
      })
      afterEach(async () => {
        await link().create(offering())
      })

      it.each([
        ["paid too little", partPaid, ["order_underpaid"]],
        ["paid", paid, [null]],
        ["refunded in full", refunded, [null]],
      ])("%s: nothing, and its money can be sent back", async (_, make, cases) => {
        const order = await make()
        await link().dismiss(offering())
        await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
        await settleDue(store)
        expect(await casesOf(order)).toEqual(cases)
        expect(await refund(order)).toBe(200)
      })
    })

    it("whose e-mail is corrected while paid too little: the new link carries the corrected one", async () => {
      const order = await partPaid()
      await changes().must(`/orders/${order.orderId}`, { email: "corrected@example.test" })
      expect(await linkOf(order)).toEqual([200, "15.01"])
      const [created] = (await store.gateway.calls("POST")).slice(-1)
      expect(created?.body).toMatchObject({ payer_email_address: "corrected@example.test" })
    })

    it("whose e-mail is corrected once it is paid: nothing", async () => {
      const order = await paid()
      await changes().must(`/orders/${order.orderId}`, { email: "corrected@example.test" })
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      expect(await casesOf(order)).toEqual([null])
    })

    it.each(["EXPIRED", "FAILED"])(
      "whose gateway says %s once it is paid: PAID is never taken back",
      async (word) => {
        const order = await paid()
        await store.gateway.setStatus(order.session.data.payment_request_id, word)
        await changes().must(`/crypto-payments/${order.id}/settle`)
        expect(await readEndState(store.knex, order.cartId)).toMatchObject({
          captures: ["20.01"],
          ledger: [{ state: "captured", settled: true, attention: null }],
        })
      }
    )

    /** Whatever happens to them, they are read again, also those that nothing can follow for. */
    async function readAgain(): Promise<void> {
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
    }

    const markAsPaid = async (order: KnownOrder): Promise<void> => {
      const other = await changes().collection(order, 20.01)
      await changes().must(`/payment-collections/${other}/mark-as-paid`, { order_id: order.orderId })
    }

    const moveCart = async ({ cartId }: KnownOrder): Promise<void> => {
      await store.shopper().post(`/carts/${cartId}`, {
        region_id: store.seeded.regions.aed,
        shipping_address: { country_code: "ae" },
      })
    }

    const end = async ({ session }: KnownOrder): Promise<void> => {
      await store.gateway.setStatus(session.data.payment_request_id, "EXPIRED")
    }

    const correctEmail = async ({ orderId }: KnownOrder): Promise<void> => {
      await changes().must(`/orders/${orderId}`, { email: "corrected@example.test" })
    }

    it("exchanged for something cheaper while its link is open: the link stays, as nothing has come back yet", async () => {
      const { orderId } = await placeUnpaidOrder(store)
      await changes().exchange(orderId, 5)
      await settleDue(store)
      expect(await changes().owed(orderId)).toBeCloseTo(25.01)
      const rows = await store
        .knex("crypto_payment_request")
        .orderBy("created_at")
        .select("state", "amount", "next_check_at")
      expect(rows).toEqual([{ state: "open", amount: "20.01", next_check_at: expect.any(Date) }])
    })

    it.each([
      ["its cart moves to a region in another currency", moveCart],
      ["the gateway ends the attempt with another word", end],
    ])("paid too little, and %s: the case stays as it is", async (_, happen) => {
      const order = await partPaid()
      await happen(order)
      await readAgain()
      expect(await row(order.id)).toMatchObject({
        state: "captured",
        attention_reason: "order_underpaid",
        attention_amount: "15.01",
      })
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        collection: { captured: "20.01", refunded: "0.00" },
        captures: ["20.01"],
        transactions: ["20.01"],
      })
      const collection = await store.knex("payment_collection").where({ id: order.collectionId }).first()
      expect(collection.currency_code).toBe("usd")
    })

    it("edited to owe nothing once it is paid: no case, and Medusa shows the refund that is due", async () => {
      const order = await paid()
      await sellFor(order, 0)
      await readAgain()
      expect(await casesOf(order)).toEqual([null])
      expect((await changes().books(order.orderId)).pending).toBeCloseTo(-15.01)
    })

    it.each([
      ["it is edited to owe nothing", async (order: KnownOrder) => await sellFor(order, 0)],
      [
        "another account asks for it",
        async ({ orderId }: KnownOrder) => await requestTransfer(store, orderId),
      ],
      ["it is marked as paid", markAsPaid],
      ["its cart moves to a region in another currency", moveCart],
      ["its e-mail is corrected", correctEmail],
      ["the gateway ends the attempt with another word", end],
    ])("refunded in full, and %s: nothing", async (_, happen) => {
      const order = await refunded()
      await happen(order)
      await readAgain()
      expect(await row(order.id)).toMatchObject({ state: "refunded", attention_reason: null })
      expect(await store.knex("crypto_payment_request")).toHaveLength(1)
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({
        collection: { captured: "20.01", refunded: "20.01" },
        captures: ["20.01"],
        refunds: ["20.01"],
      })
    })

    it("a draft that is paid too little is deleted only once the money is sent back", async () => {
      const draft = await makePaidDraft(store)
      await changes().must(`/draft-orders/${draft.orderId}/edit`)
      await changes().must(`/draft-orders/${draft.orderId}/edit/items`, {
        items: [{ variant_id: store.seeded.variantIds[1], quantity: 1 }],
      })
      await changes().must(`/draft-orders/${draft.orderId}/edit/request`)
      await changes().must(`/draft-orders/${draft.orderId}/edit/confirm`)
      await settleDue(store)
      expect((await changes().books(draft.orderId)).pending).toBeGreaterThan(0)
      const remove = async (): Promise<number> =>
        (await store.http.delete(`/admin/draft-orders/${draft.orderId}`, await store.admin())).status
      expect(await remove()).toBe(400)
      const back = { amount: "15.01", reference: "sent back" }
      await changes().must(`/crypto-payments/${draft.id}/refunds`, back)
      await nothingIsDue(store)
      expect(await remove()).toBe(200)
    })

    describe("whose provider was removed from medusa-config", () => {
      const use = async (provider_id: string): Promise<void> => {
        for (const table of ["crypto_payment_request", "payment_session", "payment"]) {
          await store.knex(table).where("provider_id", "like", "pp_crypto_%").update({ provider_id })
        }
      }
      afterEach(async () => {
        await use("pp_crypto_default")
      })

      it("paid too little: a refund answers provider_missing, and is registered when it is back", async () => {
        const order = await partPaid()
        await use("pp_crypto_gone")
        const refused = await changes().post(`/crypto-payments/${order.id}/refunds`, {
          amount: "20.01",
          reference: "sent back",
        })
        expect([refused.status, refused.data.code]).toEqual([400, "provider_missing"])
        expect(await store.knex("crypto_payment_refund")).toEqual([])
        await use("pp_crypto_default")
        expect(await refund(order)).toBe(200)
      })

      it("refunded in full: nothing", async () => {
        const order = await refunded()
        await use("pp_crypto_gone")
        await settleDue(store)
        expect(await row(order.id)).toMatchObject({ state: "refunded", attention_reason: null })
      })
    })
  },
  PLACED_FIRST
)
