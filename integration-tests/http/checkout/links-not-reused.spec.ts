import type { AxiosResponse } from "axios"
import { settingsDesk } from "../../support/admin-api"
import { PAID_OK, readEndState } from "../../support/end-state"
import { endOf, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession, type PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { PLACED_FIRST, placeUnpaidOrder, type UnpaidOrder } from "../../support/unpaid-order"

describeStore(
  "a shop that gives a new link each time",
  (store) => {
    const desk = settingsDesk(store)

    beforeEach(async () => {
      await desk.get() // Forgets what the test before had saved.
      const saved = await desk.post({ version: 0, reuse_open_links: false })
      expect([saved.status, saved.data.settings?.fields?.reuse_open_links?.value]).toEqual([200, false])
    })

    const reopen = async ({ collectionId }: PreparedCheckout): Promise<PreparedCheckout["session"]> => {
      const { status, data } = await store.shopper().openSession(collectionId)
      expect(status).toBe(200)
      return readSession(data)
    }
    const press = async ({ orderId }: UnpaidOrder): Promise<AxiosResponse> =>
      await store.http.post(`/admin/crypto-payments/orders/${orderId}/payment-link`, {}, await store.admin())
    const rows = async (): Promise<{ state: string; watched: boolean }[]> =>
      (await store.knex("crypto_payment_request").orderBy("created_at").select("state", "next_check_at")).map(
        ({ state, next_check_at }) => ({ state: state as string, watched: next_check_at !== null })
      )

    it("makes one at each opening of the payment step, and watches the former one", async () => {
      const checkout = await store.shopper().checkout()
      const again = await reopen(checkout)
      expect(again.data.payment_link).not.toBe(checkout.session.data.payment_link)
      expect(await rows()).toEqual([
        { state: "superseded", watched: true },
        { state: "open", watched: true },
      ])
      expect((await readEndState(store.knex, checkout.cartId)).sessions).toHaveLength(1)
    })

    it("takes the payment of the newest link for the cart", async () => {
      const checkout = await store.shopper().checkout()
      const again = await reopen(checkout)
      await payAndNotify(store, again.data.payment_request_id)
      await settleDue(store)
      const { ledger, ...end } = await readEndState(store.knex, checkout.cartId)
      expect({ ...end, ledger: PAID_OK.ledger }).toEqual(PAID_OK)
      expect(ledger.map(({ state, attention }) => [state, attention])).toEqual([
        ["superseded", null],
        ["captured", null],
      ])
    })

    it("takes the payment of a former link for the cart", async () => {
      const checkout = await store.shopper().checkout()
      await reopen(checkout)
      await payAndNotify(store, checkout.session.data.payment_request_id)
      await settleDue(store)
      const { ledger, ...end } = await readEndState(store.knex, checkout.cartId)
      expect({ ...end, ledger: PAID_OK.ledger }).toEqual(PAID_OK)
      expect(ledger[0]).toEqual({ state: "captured", settled: true, attention: null })
    })

    it("captures one of two links that were both paid, and the other is a case", async () => {
      const checkout = await store.shopper().checkout()
      const again = await reopen(checkout)
      await payAndNotify(store, checkout.session.data.payment_request_id)
      await payAndNotify(store, again.data.payment_request_id)
      const end = await endOf(store, checkout.cartId)
      expect(end).toMatchObject({ captures: ["20.01"], orders: 1, transactions: ["20.01"] })
      expect(end.ledger.filter(({ attention }) => attention === null)).toHaveLength(1)
    })

    it("gives no other link for one that was paid and not noticed: that is captured", async () => {
      const checkout = await store.shopper().checkout()
      await store.gateway.pay(checkout.session.data.payment_request_id)
      expect((await store.shopper().openSession(checkout.collectionId)).status).toBe(400)
      expect(await endOf(store, checkout.cartId)).toEqual(PAID_OK)
    })

    it("leaves one live session and one offered link of openings at the same moment", async () => {
      const shopper = store.shopper()
      const cartId = await shopper.cart()
      const collectionId = await shopper.collection(cartId)
      const opened = await Promise.all([1, 2, 3].map(async () => await shopper.openSession(collectionId)))
      expect(opened.map(({ status }) => status)).toContain(200)
      const { sessions } = await readEndState(store.knex, cartId)
      expect(sessions).toHaveLength(1)
      expect((await rows()).filter(({ state }) => state === "open")).toHaveLength(1)
    })

    describe("for an order that was placed unpaid", () => {
      it.each([
        ["the shopper", async (order: UnpaidOrder) => (await reopen(order)).data.payment_link],
        ["the merchant", async (order: UnpaidOrder) => (await press(order)).data.payment_link as string],
      ])("that %s asks for, and either is captured", async (_, ask) => {
        for (const place of [0, 1]) {
          const order = await placeUnpaidOrder(store)
          const link = await ask(order)
          expect(link).not.toBe(order.session.data.payment_link)
          const links = await store
            .knex("crypto_payment_request")
            .where({ cart_id: order.cartId })
            .orderBy("created_at")
            .select("payment_request_id")
          await payAndNotify(store, links[place].payment_request_id as string)
          await settleDue(store)
          expect(await readEndState(store.knex, order.cartId)).toMatchObject({
            captures: ["20.01"],
            orders: 1,
            transactions: ["20.01"],
          })
        }
      })

      it.each([422, 503])("keeps the one that was when no other can be made (%s)", async (status) => {
        const order = await placeUnpaidOrder(store)
        await store.gateway.fail({ endpoint: "create", kind: "status", status })
        expect((await store.shopper().openSession(order.collectionId)).status).toBeGreaterThanOrEqual(400)
        expect((await press(order)).status).toBeGreaterThanOrEqual(400)
        await store.gateway.recover()
        expect(
          await store
            .knex("crypto_payment_request")
            .where({ payment_request_id: order.session.data.payment_request_id })
            .first("state")
        ).toEqual({ state: "open" })
        await payAndNotify(store, order.session.data.payment_request_id)
        await settleDue(store)
        expect(await readEndState(store.knex, order.cartId)).toMatchObject({ captures: ["20.01"], orders: 1 })
      })
    })
  },
  PLACED_FIRST
)
