import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { placePaidOrder } from "../../support/paid-checkout"
import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { describeStore } from "../../support/store-under-test"

describeStore(
  "an order that is read with Query",
  (store) => {
    const pages = new PayPages(store)
    const ofOrder = async (id: string): Promise<Record<string, unknown>[]> => {
      const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
      const fields = ["id", "crypto_payment_requests.*"]
      const { data } = await query.graph({ entity: "order", fields, filters: { id } })
      return (data[0] as unknown as { crypto_payment_requests: Record<string, unknown>[] })
        .crypto_payment_requests
    }

    it("has its crypto payments: status, amounts and reference, and nothing of the payer", async () => {
      const { orderId, id, session, cartId } = await placePaidOrder(store)
      const { ref_id } = await store.knex("crypto_payment_request").where({ id }).first("ref_id")
      const payments = await ofOrder(orderId)
      expect(payments).toMatchObject([
        {
          id,
          order_id: orderId,
          state: "captured",
          gateway_status: "PAID",
          amount: "20.01",
          currency_code: "usd",
          ref_id,
        },
      ])
      expect(JSON.stringify(payments)).not.toMatch(new RegExp(`guest@|/pay/|${session.id}|${cartId}`))
      // Medusa's own route allows a shop to read none of it.
      const shown = await store.shopper().get(`/orders/${orderId}?fields=*crypto_payment_requests`)
      expect(shown.data.order).not.toHaveProperty("crypto_payment_requests")
    })

    it("has the link of an order that nobody has paid, without its address", async () => {
      const orderId = await pages.draft()
      const { id, payment_link } = await pages.link(await pages.of(orderId))
      const payments = await ofOrder(orderId)
      expect(payments).toMatchObject([{ id, state: "open", amount: "15.01", paid_at: null }])
      expect(JSON.stringify(payments)).not.toContain(payment_link)
    })

    it("has none without crypto payments, and each order has its own", async () => {
      const [without, one, other] = [
        await pages.draft(),
        await placePaidOrder(store),
        await placePaidOrder(store),
      ]
      const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
      const ids = [without, one.orderId, other.orderId]
      const fields = ["id", "crypto_payment_requests.id"]
      const { data } = await query.graph({ entity: "order", fields, filters: { id: ids } })
      const found = data as unknown as { id: string; crypto_payment_requests?: { id: string }[] }[]
      const idsOf = (orderId: string): string[] =>
        (found.find(({ id }) => id === orderId)?.crypto_payment_requests ?? []).map(({ id }) => id)
      expect(ids.map(idsOf)).toEqual([[], [one.id], [other.id]])
    })
  },
  WITH_PUBLIC_URL
)
