import { readEndState } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { placePaidOrder, type PaidOrder } from "../../support/paid-checkout"
import { describeStore } from "../../support/store-under-test"

/** Cells of the table in docs/orders.md: its payment step is opened again, and you delete its payment collection. */
describeStore("the payment collection of an order that was paid", (store) => {
  const refunded = async (): Promise<PaidOrder> => {
    const order = await placePaidOrder(store)
    await new OrderChanges(store).must(`/crypto-payments/${order.id}/refunds`, {
      amount: "20.01",
      reference: "sent back",
    })
    return order
  }
  const paid = async (): Promise<PaidOrder> => await placePaidOrder(store)

  describe.each([
    ["and is kept", paid, []],
    ["and refunded in full", refunded, ["20.01"]],
  ])("%s", (_, make, refunds) => {
    it.each<[string, (order: PaidOrder) => Promise<number>]>([
      [
        "is not deleted",
        async ({ collectionId }) =>
          (await store.http.delete(`/admin/payment-collections/${collectionId}`, await store.admin())).status,
      ],
      [
        "gets no other link",
        async ({ collectionId }) => (await store.shopper().openSession(collectionId)).status,
      ],
    ])("%s, and nothing changes", async (__, attempt) => {
      const order = await make()
      const before = await readEndState(store.knex, order.cartId)
      expect(before).toMatchObject({ captures: ["20.01"], refunds, orders: 1 })
      expect(await attempt(order)).toBe(400)
      expect(await readEndState(store.knex, order.cartId)).toEqual(before)
      expect(await store.knex("crypto_payment_request")).toHaveLength(1)
      expect(
        (await store.gateway.calls("POST")).filter(({ path }) => path.endsWith("/payments"))
      ).toHaveLength(1)
    })
  })
})
