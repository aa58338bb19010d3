import { readEndState } from "../../support/end-state"
import { endOf, ledgerRow } from "../../support/paid-checkout"
import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { settleDue } from "../../support/settle-due"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import {
  ageOrder,
  cancelByHand,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  settleLater,
  type UnpaidOrder,
} from "../../support/unpaid-order"

const DAYS = 24 * 60
const TOLD = "Part of your payment has arrived. Pay the rest on the same page."

describeStore(
  "a payment of which a part has arrived",
  (store) => {
    const pages = new PayPages(store)
    const caseOf = async ({ session }: Pick<UnpaidOrder, "session">) => {
      const { state, attention_reason, paid_at } = await ledgerRow(store, session.id)
      return { state, attention_reason, paid_at }
    }
    const statusOf = async ({ session, cartId }: Pick<UnpaidOrder, "session" | "cartId">): Promise<unknown> =>
      (await store.shopper().statusOf(session.id, cartId)).data
    /** An order that was placed unpaid, of which a third has arrived, and whose time was over two days ago. */
    async function partlyPaidOrder(): Promise<UnpaidOrder> {
      const order = await placeUnpaidOrder(store)
      await store.gateway.payPart(order.session.data.payment_request_id)
      await settleLater(store, 2 * DAYS)
      return order
    }

    it("is a case, its order is not cancelled, and its payer is asked for the rest on the same link", async () => {
      const order = await partlyPaidOrder()
      expect(await caseOf(order)).toEqual({ state: "open", attention_reason: "partly_paid", paid_at: null })
      expect(await orderStatus(store, order.orderId)).toBe("pending")
      expect(await readEndState(store.knex, order.cartId)).toMatchObject({ payments: [], captures: [] })
      const { payment_link } = await ledgerRow(store, order.session.id)
      expect(await statusOf(order)).toEqual({
        status: "awaiting_payment",
        payment_link,
        part_arrived: true,
        order_kept: true,
      })
    })

    it("is asked for on the order's pay page, whose button leads to the same link", async () => {
      const order = await partlyPaidOrder()
      const url = await pages.of(order.orderId)
      expect(await pages.read(url)).toContain(
        "Part of your payment has arrived Pay the rest on the same page."
      )
      expect((await pages.link(url)).session_id).toBe(order.session.id)
      expect(await store.gateway.payments()).toHaveLength(1)
    })

    it("is the shop's to look at when the order has changed meanwhile: nobody is asked for another sum", async () => {
      const order = await partlyPaidOrder()
      const url = await pages.of(order.orderId)
      await pages.changes.raise(order.orderId)
      expect(await pages.read(url)).toContain("Payment is being checked")
      expect((await pages.pay(url)).headers["location"]).toBe("?")
      expect(await store.gateway.payments()).toHaveLength(1)
      expect(await statusOf(order)).toEqual({ status: "processing", review: true, order_kept: true })
    })

    it("is captured once when the rest arrives, and the case ends", async () => {
      const order = await partlyPaidOrder()
      await store.gateway.pay(order.session.data.payment_request_id)
      await store.gateway.notify(order.session.data.payment_request_id)
      await settleDue(store)
      expect(await endOf(store, order.cartId)).toMatchObject({
        captures: ["20.01"],
        transactions: ["20.01"],
        orders: 1,
        ledger: [{ state: "captured", settled: true, attention: null }],
      })
    })

    it("is another case when the rest arrives with too little", async () => {
      const order = await partlyPaidOrder()
      await store.gateway.pay(order.session.data.payment_request_id, { amount: "5.00" })
      await settleLater(store, 0)
      expect(await endOf(store, order.cartId)).toMatchObject({
        captures: [],
        ledger: [{ state: "paid", settled: false, attention: "amount_mismatch" }],
      })
    })

    it.each([["0.00000000000000"], [null], ["a third"], ["-1"]])(
      "is over when the gateway shows %j, and the order's time is over then",
      async (paid_amount) => {
        const order = await partlyPaidOrder()
        await store.gateway.bendRecord(order.session.data.payment_request_id, { fields: { paid_amount } })
        await settleLater(store, 0)
        expect(await caseOf(order)).toEqual({ state: "superseded", attention_reason: null, paid_at: null })
        expect(await orderStatus(store, order.orderId)).toBe("canceled")
      }
    )

    it("keeps its order also while another link of the order is due", async () => {
      const order = await placeUnpaidOrder(store)
      const { id } = await ledgerRow(store, order.session.id)
      // A second link of the same order, as after a corrected e-mail address. Only the first was paid in part, and later.
      await store.knex("crypto_payment_request").where({ id }).update({ payer_digest: "another" })
      const session = readSession((await store.shopper().openSession(order.collectionId)).data)
      await store.gateway.payPart(order.session.data.payment_request_id)
      await settleLater(store, 2 * DAYS)
      const rows = await store.knex("crypto_payment_request").orderBy("created_at").select("attention_reason")
      expect(rows).toEqual([{ attention_reason: "partly_paid" }, { attention_reason: null }])
      expect(await orderStatus(store, order.orderId)).toBe("pending")
      // Nobody is asked for all of it.
      expect(await statusOf({ ...order, session })).toEqual({
        status: "processing",
        review: true,
        order_kept: true,
      })
      expect((await store.shopper().openSession(order.collectionId)).status).toBe(400)
    })

    it("is never closed, and is offered no more once its order is cancelled", async () => {
      const order = await partlyPaidOrder()
      expect(await cancelByHand(store, order.orderId)).toEqual([200, "canceled"])
      await settleLater(store, 30 * DAYS)
      expect(await caseOf(order)).toMatchObject({ state: "superseded", attention_reason: "partly_paid" })
      expect(await statusOf(order)).toEqual({ status: "failed", order_canceled: true })
    })

    it("is no case while the gateway confirms a payment, until that has lasted for an hour", async () => {
      const order = await placeUnpaidOrder(store)
      await store.gateway.payPart(order.session.data.payment_request_id)
      await store.gateway.setStatus(order.session.data.payment_request_id, "PENDING")
      await settleLater(store, 2 * DAYS)
      expect(await caseOf(order)).toMatchObject({ state: "open", attention_reason: null })
      expect(await orderStatus(store, order.orderId)).toBe("pending")
      expect(await statusOf(order)).toEqual({ status: "processing", order_kept: true })
      await store.knex("crypto_payment_request").update({ status_since: new Date(0) })
      await settleLater(store, 0)
      expect(await caseOf(order)).toMatchObject({ state: "open", attention_reason: "partly_paid" })
      expect(await orderStatus(store, order.orderId)).toBe("pending")
    })

    it.each<[string, boolean]>([
      ["before a settle has seen the part", false],
      ["while its case is open", true],
    ])("keeps its cart, its session and its link %s", async (_, isSettled) => {
      const { session, cartId, collectionId } = await store.shopper().checkout()
      await store.gateway.payPart(session.data.payment_request_id)
      if (isSettled) {
        await settleLater(store, 0)
      }
      const again = await store.shopper().openSession(collectionId)
      expect([again.status, again.data]).toEqual([
        400,
        expect.objectContaining({ code: "partly_paid", message: TOLD }),
      ])
      const items = { variant_id: store.seeded.variantId, quantity: 1 }
      const changed = await store.shopper().post(`/carts/${cartId}/line-items`, items)
      expect(changed.status).toBeGreaterThanOrEqual(400)
      expect(isSettled ? changed.data.code : undefined).toBe(isSettled ? "partly_paid" : undefined)
      expect(await store.knex("payment_session").whereNull("deleted_at").pluck("id")).toEqual([session.id])
      expect((await ledgerRow(store, session.id)).state).toBe("open")
      expect(await store.gateway.payments()).toHaveLength(1)
    })

    it("is asked for also after the case of a PAID that the reads deny was closed", async () => {
      const { session, cartId, collectionId } = await store.shopper().checkout()
      const requestId = session.data.payment_request_id
      await store.gateway.payPart(requestId)
      await store.gateway.notify(requestId, { status: "PAID" })
      await store
        .knex("crypto_payment_request")
        .update({ notified_at: store.knex.raw("now() - interval '1 hour'") })
      await settleLater(store, 0)
      const { id, attention_reason } = await ledgerRow(store, session.id)
      expect(attention_reason).toBe("gateway_unclear")
      await pages.changes.must(`/crypto-payments/${id}/resolve`, { note: "only a part has arrived" })
      await settleLater(store, 0)
      expect(await caseOf({ session })).toMatchObject({ attention_reason: "partly_paid" })
      const told = { status: "awaiting_payment", part_arrived: true }
      expect(await statusOf({ session, cartId })).toMatchObject(told)
      const again = await store.shopper().openSession(collectionId)
      expect([again.status, again.data.code]).toEqual([400, "partly_paid"])
    })

    it("is not counted any more once an admin user has closed the case: another link asks for all of it", async () => {
      const order = await partlyPaidOrder()
      const url = await pages.of(order.orderId)
      const { id } = await ledgerRow(store, order.session.id)
      await pages.changes.must(`/crypto-payments/${id}/resolve`, { note: "the part was sent back" })
      expect(await statusOf(order)).toMatchObject({ status: "failed", order_kept: true })
      expect(await pages.read(url)).toContain("20.01 USD")
      const link = await pages.link(url)
      expect(link).toMatchObject({ amount: "20.01", state: "open" })
      expect(link.payment_request_id).not.toBe(order.session.data.payment_request_id)
      expect((await pages.link(url)).id).toBe(link.id)
      const { payment_link } = link
      expect(await statusOf(order)).toMatchObject({ status: "awaiting_payment", payment_link })
      await settleLater(store, 2 * DAYS)
      expect(await orderStatus(store, order.orderId)).toBe("canceled")
    })

    it.each([
      ["that the gateway goes on showing", false, 2],
      ["that the gateway shows no more", true, 1],
    ])("keeps nobody from paying once it was sent back: a part %s", async (_, isGone, links) => {
      const { session, collectionId } = await store.shopper().checkout()
      const requestId = session.data.payment_request_id
      await store.gateway.payPart(requestId)
      await settleLater(store, 0)
      const { id } = await ledgerRow(store, session.id)
      await pages.changes.must(`/crypto-payments/${id}/resolve`, { note: "the part was sent back" })
      if (isGone) {
        await store.gateway.bendRecord(requestId, { fields: { paid_amount: "0" } })
      }
      const again = await store.shopper().openSession(collectionId)
      expect(again.status).toBe(200)
      expect(await store.gateway.payments()).toHaveLength(links)
    })

    it("is a case again when the gateway shows a word that may mean PAID after an admin user closed it", async () => {
      const { session } = await store.shopper().checkout()
      const requestId = session.data.payment_request_id
      await store.gateway.payPart(requestId)
      await settleLater(store, 0)
      const { id } = await ledgerRow(store, session.id)
      await pages.changes.must(`/crypto-payments/${id}/resolve`, { note: "the part was sent back" })
      await settleLater(store, DAYS)
      expect(await ledgerRow(store, session.id)).not.toMatchObject({ attention_resolved_at: null })
      await store.gateway.bendRecord(requestId, { fields: { payment_status: "COMPLETED" } })
      await settleLater(store, DAYS)
      expect(await ledgerRow(store, session.id)).toMatchObject({
        attention_reason: "partly_paid",
        attention_resolved_at: null,
        gateway_status: "COMPLETED",
      })
    })

    it("lets its cart change once an admin user has closed the case", async () => {
      const { session, cartId } = await store.shopper().checkout()
      await store.gateway.payPart(session.data.payment_request_id)
      await settleLater(store, 0)
      const { id } = await ledgerRow(store, session.id)
      await pages.changes.must(`/crypto-payments/${id}/resolve`, { note: "the part was sent back" })
      const items = { variant_id: store.seeded.variantId, quantity: 1 }
      expect((await store.shopper().post(`/carts/${cartId}/line-items`, items)).status).toBe(200)
      const closed = { state: "superseded", attention_reason: "partly_paid" }
      expect(await ledgerRow(store, session.id)).toMatchObject(closed)
    })

    it("is asked for also when the gateway cannot be read for a day", async () => {
      const order = await partlyPaidOrder()
      const url = await pages.of(order.orderId)
      const { attention_since: since } = await ledgerRow(store, order.session.id)
      await store
        .knex("crypto_payment_request")
        .update({ attention_reason: "gateway_unreadable", attention_since: since })
      expect(await pages.read(url)).toContain("Part of your payment has arrived")
      expect(await statusOf(order)).toMatchObject({ status: "awaiting_payment", part_arrived: true })
    })

    it("is found by the batch of unchanged links, and costs the others nothing", async () => {
      const { session } = await store.shopper().checkout()
      const other = await store.shopper().checkout()
      await settleLater(store, 0)
      await store.gateway.payPart(session.data.payment_request_id)
      await ageOrder(store, 5)
      await settleDue(store)
      expect((await ledgerRow(store, session.id)).attention_reason).toBe("partly_paid")
      expect(await ledgerRow(store, other.session.id)).toMatchObject({
        state: "open",
        attention_reason: null,
      })
    })
  },
  { ...PLACED_FIRST, ...WITH_PUBLIC_URL }
)
