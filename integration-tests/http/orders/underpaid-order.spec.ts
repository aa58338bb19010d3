import { readCollectionEnd } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

interface Underpaid extends PreparedCheckout {
  id: string
  orderId: string
}

describeStore(
  "an order that grows before its link is paid",
  (store) => {
    const changes = (): OrderChanges => new OrderChanges(store)
    const row = async (id: string): ReturnType<typeof ledgerRow> =>
      await store.knex("crypto_payment_request").where({ id }).first()

    /** 20.01 of 35.02 are paid: the order grew when the link was paid already. */
    async function underpaid(): Promise<Underpaid> {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      const { data } = await shopper.complete(checkout.cartId)
      const orderId = data.order.id as string
      await store.gateway.pay(checkout.session.data.payment_request_id)
      await changes().raise(orderId)
      await settleDue(store)
      await endOf(store, checkout.cartId)
      const { id } = await ledgerRow(store, checkout.session.id)
      return { ...checkout, id, orderId }
    }

    it("gives a link of all that is owed to the shopper who opens the payment step before anything is paid", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId, session } = await shopper.checkout()
      const { data } = await shopper.complete(cartId)
      await changes().raise(data.order.id)
      expect((await shopper.openSession(collectionId)).status).toBe(200)
      const answer = await shopper.statusOf(session.id, cartId)
      expect(answer.data.payment_link).not.toBe(session.data.payment_link)
      const rows = store.knex("crypto_payment_request").orderBy("created_at").select("state", "amount")
      expect(await rows).toEqual([
        { state: "superseded", amount: "20.01" },
        { state: "open", amount: "35.02" },
      ])
    })

    it("is a case that says how much is owed, and Medusa calls it paid in part", async () => {
      const order = await underpaid()
      expect(await row(order.id)).toMatchObject({
        state: "captured",
        attention_reason: "order_underpaid",
        attention_amount: "15.01",
      })
      expect(await readCollectionEnd(store.knex, order.collectionId)).toMatchObject({ captured: "20.01" })
      expect(await changes().openCollections(order.orderId)).toEqual([])
      expect(await changes().books(order.orderId)).toMatchObject({ paymentStatus: "partially_captured" })
    })

    it.each([
      [
        "of the payment",
        async ({ id }: Underpaid) => await changes().must(`/crypto-payments/${id}/payment-link`),
      ],
      [
        "of the order",
        async ({ orderId }: Underpaid) =>
          await changes().must(`/crypto-payments/orders/${orderId}/payment-link`),
      ],
    ])("is paid by the payment link %s, and the case closes itself", async (_, offer) => {
      const order = await underpaid()
      const { payment_link } = await offer(order)
      const rest = await store.knex("crypto_payment_request").where({ payment_link }).first()
      expect(rest).toMatchObject({ amount: "15.01", state: "open" })
      await payAndNotify(store, rest.payment_request_id)
      await waitUntil(
        async () => await row(rest.id as string),
        ({ settled_at }) => settled_at !== null
      )
      await settleDue(store)
      expect(await row(order.id)).toMatchObject({ attention_reason: null, attention_amount: null })
      expect(await row(rest.id as string)).toMatchObject({ attention_reason: null })
      await nothingIsDue(store)
      expect((await changes().books(order.orderId)).pending).toBe(0)
    })

    it("can be marked as paid once there is a link for the rest, and Check now closes the case", async () => {
      const order = await underpaid()
      await changes().must(`/crypto-payments/${order.id}/payment-link`)
      const [rest] = await changes().openCollections(order.orderId)
      expect(rest?.amount).toBe("15.01")
      await changes().must(`/payment-collections/${String(rest?.id)}/mark-as-paid`, {
        order_id: order.orderId,
      })
      await changes().must(`/crypto-payments/${order.id}/settle`)
      expect(await row(order.id)).toMatchObject({ attention_reason: null })
      const link = await changes().post(`/crypto-payments/${order.id}/payment-link`)
      expect([link.status, link.data.code]).toEqual([400, "nothing_to_pay"])
    })

    it("takes no session in the collection that was paid, and says so", async () => {
      const order = await underpaid()
      const session = await store.shopper().openSession(order.collectionId)
      expect([session.status, session.data.message]).toEqual([400, expect.stringContaining("paid")])
    })

    it("is raised again, and a payment of all that a collection asks for is no other case", async () => {
      const order = await underpaid()
      await changes().raise(order.orderId)
      const part = await changes().link(await changes().collection(order, 10))
      await payAndNotify(store, part.paymentRequestId)
      const paid = await waitUntil(
        async () => await ledgerRow(store, part.sessionId),
        ({ settled_at }) => settled_at !== null
      )
      expect(paid).toMatchObject({ amount: "10.00", attention_reason: null })
      await settleDue(store)
      expect(await row(order.id)).toMatchObject({
        attention_reason: "order_underpaid",
        attention_amount: "20.02",
      })
      // Core ends the collection that was paid in part when the order is edited, and not its payment.
      expect(await store.knex("payment").whereNotNull("canceled_at")).toEqual([])
    })
  },
  { CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment", CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: "30" }
)
