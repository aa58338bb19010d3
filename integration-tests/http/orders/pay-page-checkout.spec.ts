import { readCollectionEnd } from "../../support/end-state"
import { payAndNotify } from "../../support/paid-checkout"
import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore(
  "a draft order that is paid on its page",
  (store) => {
    const pages = new PayPages(store)

    it("shows what is owed, leads to the payment link, and has one captured payment in the end", async () => {
      const orderId = await pages.draft()
      const url = await pages.of(orderId)
      expect(await pages.read(url)).toContain("15.01 USD")
      const { payment_link, id, payment_request_id } = await pages.link(url)
      expect((await pages.pay(url)).headers["location"]).toBe(payment_link)

      await payAndNotify(store, payment_request_id as string)
      const settled = await waitUntil(
        async () => await store.knex("crypto_payment_request").where({ id }).first(),
        ({ settled_at, attention_reason }) => settled_at !== null || attention_reason !== null
      )
      expect(settled).toMatchObject({ state: "captured", order_id: orderId, attention_reason: null })
      const end = await readCollectionEnd(store.knex, settled.payment_collection_id as string)
      expect(end).toMatchObject({ captured: "15.01", refunded: "0.00", captures: ["15.01"] })
      const linked = store.knex("order_payment_collection as opc").where({ "opc.order_id": orderId })
      const payments = await linked
        .join("payment as p", "p.payment_collection_id", "opc.payment_collection_id")
        .select("p.provider_id", "p.amount")
      expect(payments).toEqual([{ provider_id: "pp_crypto_default", amount: "15.01" }])
      expect(await pages.read(url)).toContain("Paid Nothing is left to pay for this order.")
    })
  },
  WITH_PUBLIC_URL
)
