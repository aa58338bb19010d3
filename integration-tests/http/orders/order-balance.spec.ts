import { Modules } from "@medusajs/framework/utils"
import { readOwed } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/order-balance"
import { makeDraft } from "../../support/draft-order"
import { OrderChanges } from "../../support/order-changes"
import { ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("what an order owes", (store) => {
  const changes = (): OrderChanges => new OrderChanges(store)
  const owed = async (orderId: string): Promise<number> => Number(await readOwed(store.knex, orderId))
  const settled = async (sessionId: string): Promise<unknown> => {
    const row = await waitUntil(
      async () => await ledgerRow(store, sessionId),
      ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
    )
    return { state: row.state, attention: row.attention_reason }
  }

  it.each<[string, number, (orderId: string) => Promise<unknown>]>([
    ["is as it was placed", 0, async () => await Promise.resolve()],
    ["was raised", 15.01, async (orderId) => await changes().raise(orderId)],
    [
      "became cheaper",
      -5.01,
      async (orderId) => {
        const items = await changes().items(orderId)
        await changes().reprice(
          orderId,
          items.map((item) => ({ ...item, unit_price: 10 }))
        )
      },
    ],
    ["is to be returned", 0, async (orderId) => await changes().requestReturn(orderId)],
    [
      "has come back",
      -15.01,
      async (orderId) => await changes().receiveReturn(await changes().requestReturn(orderId)),
    ],
    ["is to be exchanged for something dearer", 20, async (orderId) => await changes().exchange(orderId, 20)],
    ["has a claim", 20, async (orderId) => await changes().claim(orderId, 20)],
    [
      "was raised and given a part of that as credit",
      12.01,
      async (orderId) => {
        await changes().raise(orderId)
        const credit = { amount: 3, reference: "goodwill", reference_id: "1" }
        await changes().must(`/orders/${orderId}/credit-lines`, credit)
      },
    ],
  ])("is its total less what was paid when it %s", async (_, expected, change) => {
    const { orderId } = await placePaidOrder(store)
    await change(orderId)
    const figures = [await owed(orderId), await changes().owed(orderId)]
    expect(figures).toEqual([expect.closeTo(expected, 5), expect.closeTo(expected, 5)])
    await nothingIsDue(store)
  })

  it.each([
    ["an exchange's difference", async (orderId: string) => await changes().exchange(orderId, 20)],
    ["a claim's replacement", async (orderId: string) => await changes().claim(orderId, 20)],
  ])("is what has to come back once %s is paid to the cent, and that is no case", async (_, change) => {
    const { orderId } = await placePaidOrder(store)
    await change(orderId)
    const [collection] = await changes().openCollections(orderId)
    expect(collection?.amount).toBe("4.99")
    const link = await changes().link(String(collection?.id))
    await payAndNotify(store, link.paymentRequestId)
    expect(await settled(link.sessionId)).toEqual({ state: "captured", attention: null })
    expect(await owed(orderId)).toBeCloseTo(15.01, 5)
  })

  describe("in one currency, with a captured payment of another", () => {
    /** In a collection of the order's own, by another provider, and booked on the order. */
    async function payInAed(orderId: string, amount: number): Promise<void> {
      const payments = store.container.resolve(Modules.PAYMENT)
      const asked = { amount, currency_code: "aed" }
      const { id } = await payments.createPaymentCollections(asked)
      await store
        .knex("order_payment_collection")
        .insert({ id: `of_${id}`, order_id: orderId, payment_collection_id: id })
      const provider = { provider_id: "pp_system_default", data: {} }
      const session = await payments.createPaymentSession(id, { ...asked, ...provider })
      const payment = await payments.authorizePaymentSession(session.id, {})
      await payments.capturePayment({ payment_id: String(payment?.id), amount })
      const booking = { order_id: orderId, reference: "imported", reference_id: id }
      await store.container.resolve(Modules.ORDER).addOrderTransactions({ ...asked, ...booking })
    }

    it("is as much as before, and its link's payment is no second one", async () => {
      const { orderId, link } = await makeDraft(store)
      await payInAed(orderId, 15.01)
      expect(await owed(orderId)).toBeCloseTo(15.01, 5)
      await payAndNotify(store, link.payment_request_id)
      expect(await settled(link.session_id)).toEqual({ state: "captured", attention: null })
      expect(await owed(orderId)).toBe(0)
    })

    it("is no case once the order became cheaper than what was paid", async () => {
      const { id, orderId } = await placePaidOrder(store)
      const [item] = await changes().items(orderId)
      await changes().reprice(orderId, [{ id: "", quantity: 1, ...item, unit_price: 10 }])
      await payInAed(orderId, 15.01)
      await settleDue(store)
      const row = store.knex("crypto_payment_request").where({ id })
      expect(await row.first()).toMatchObject({
        state: "captured",
        attention_reason: null,
        other_payments: "0",
      })
    })
  })
})
