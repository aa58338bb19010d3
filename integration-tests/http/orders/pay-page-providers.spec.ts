import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { FIRST, offerBoth, SECOND } from "../../support/second-provider"
import { describeStore, SECRET_KEY } from "../../support/store-under-test"

describeStore(
  "a pay page in a store with two providers",
  (store) => {
    const pages = new PayPages(store)

    it("is made once the merchant has chosen one of both, and keeps it", async () => {
      await offerBoth(store)
      const orderId = await pages.draft()
      const { status, data } = await pages.give(orderId)
      expect([status, data.code]).toEqual([400, "provider_needed"])
      expect(data.message).toContain(`${FIRST}, ${SECOND}`)
      expect(await store.knex("crypto_payment_page").select()).toEqual([])

      const url = await pages.of(orderId, { provider_id: SECOND })
      expect(await pages.of(orderId)).toBe(url)
      expect(await pages.link(url)).toMatchObject({ provider_id: SECOND })
    })

    it("changes its provider and not its address when the merchant chooses another one", async () => {
      await offerBoth(store)
      const orderId = await pages.draft()
      const url = await pages.of(orderId, { provider_id: SECOND })
      expect(await pages.of(orderId, { provider_id: FIRST })).toBe(url)
      expect(await pages.link(url)).toMatchObject({ provider_id: FIRST })
    })

    it("is of the only one that the order's region offers", async () => {
      await pages.changes.must(`/regions/${store.seeded.regions.usd}`, { payment_providers: [SECOND] })
      const url = await pages.of(await pages.draft())
      expect(await pages.link(url)).toMatchObject({ provider_id: SECOND })
    })

    it("is of another one when its own was removed and the merchant asks again", async () => {
      await offerBoth(store)
      const orderId = await pages.draft()
      const url = await pages.of(orderId, { provider_id: SECOND })
      await store.knex("crypto_payment_page").update({ provider_id: "pp_crypto_gone" })
      expect((await pages.give(orderId)).data.code).toBe("provider_needed")
      expect(await pages.of(orderId, { provider_id: FIRST })).toBe(url)
      expect(await pages.read(url)).toContain("Pay with crypto")
    })
  },
  {
    ...WITH_PUBLIC_URL,
    CRYPTO_PAYMENTS_SECOND_PROVIDER: "second",
    CRYPTO_PAYMENTS_SECOND_SECRET_KEY: SECRET_KEY,
  }
)
