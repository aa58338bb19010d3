import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { makeDraft } from "../../support/draft-order"
import { describeStore, STORE_WITH_OWN_COMPLETION } from "../../support/store-under-test"

const PROVIDER = "pp_crypto_default"

describeStore(
  "a store that completes carts in its own way",
  (store) => {
    const offered = async (): Promise<string[]> => {
      const { data } = await store.shopper().get(`/payment-providers?region_id=${store.seeded.regions.usd}`)
      return (data.payment_providers as { id: string }[]).map(({ id }) => id)
    }
    const health = async () =>
      (await store.http.get("/admin/crypto-payments/health", await store.admin())).data as {
        completion_replaced_by: string[]
        providers: { core_completion: boolean }[]
        regions: { id: string; offered_ids: string[] }[]
      }

    it("has its own route in place of core's", async () => {
      const shopper = store.shopper()
      expect((await shopper.complete(await shopper.cart())).data).toEqual({ type: "order_group" })
    })

    it("is told in health which route and workflow complete its carts", async () => {
      const { completion_replaced_by, providers, regions } = await health()
      expect(completion_replaced_by).toEqual([
        "route src/api/store/carts/[id]/complete/route.ts",
        "workflow complete-cart-with-split-orders",
      ])
      expect(providers).toMatchObject([{ core_completion: false }])
      expect(regions.flatMap(({ offered_ids }) => offered_ids)).toEqual([])
    })

    it("does not offer crypto, gives no link, and asks nobody", async () => {
      expect(await offered()).toEqual(["pp_system_default"])
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data]).toEqual([
        400,
        {
          type: "invalid_data",
          code: "completion_replaced",
          message:
            "Crypto payments are not available in this shop at the moment. Choose another payment method.",
        },
      ])
      expect(await store.knex("crypto_payment_request").pluck("id")).toEqual([])
      expect(await store.knex("payment_session").pluck("id")).toEqual([])
      expect(await store.gateway.calls()).toEqual([])
    })

    it("gives a link for an order, which needs no completion", async () => {
      const { link } = await makeDraft(store)
      expect(link.payment_link).toMatch(/^http/)
    })

    it("offers crypto once the merchant says that core's completion counts", async () => {
      const { settings } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const { registration } = await settings.readFresh(PROVIDER)
      registration.core_completion = true
      try {
        expect(await offered()).toEqual([PROVIDER, "pp_system_default"])
        expect((await store.shopper().checkout()).session.data.payment_link).toMatch(/^http/)
        expect((await health()).providers).toMatchObject([{ core_completion: true }])
      } finally {
        registration.core_completion = false
      }
    })
  },
  {},
  STORE_WITH_OWN_COMPLETION
)
