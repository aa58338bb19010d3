import { describeStore } from "../../support/store-under-test"

const NOT_OFFERED = {
  type: "invalid_data",
  code: "not_configured",
  message: "Crypto payments are not available in this shop at the moment. Choose another payment method.",
}

describeStore(
  "a provider whose secret key is not given",
  (store) => {
    it("tells shoppers nothing of its settings, and the merchant what is missing; it calls nobody", async () => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data]).toEqual([400, NOT_OFFERED])
      const health = await store.http.get("/admin/crypto-payments/health", await store.admin())
      expect(health.data.providers).toMatchObject([
        {
          configured: false,
          missing: ["secret_key"],
          last_checkout_failure_code: "not_configured",
          is_list_overdue: false,
        },
      ])
      expect(await store.gateway.calls()).toEqual([])
    })

    it.each(["pp_crypto_gone", "pp_crypto_<b>x", "pp_crypto_"])(
      "says the same of %s, which medusa-config does not register, and stores nothing of it",
      async (provider_id) => {
        const shopper = store.shopper()
        const collectionId = await shopper.collection(await shopper.cart())
        const path = `/payment-collections/${collectionId}/payment-sessions`
        const { status, data } = await shopper.post(path, { provider_id })
        expect([status, data]).toEqual([400, NOT_OFFERED])
        const stored = await store.knex("crypto_payment_provider_status").pluck("id")
        expect(stored).not.toContain(provider_id)
      }
    )

    it("answers its webhook with 503", async () => {
      const { status, data } = await store.http.post("/hooks/payment/crypto_default", {
        data: {},
        approval_hash: "",
      })
      expect([status, data.type]).toEqual([503, "unexpected_state"])
    })

    it("is not offered, and leaves the other ways to pay alone", async () => {
      const shopper = store.shopper()
      const region = await store.knex("region").first("id")
      const { data: offered } = await shopper.get(`/payment-providers?region_id=${String(region.id)}`)
      expect(offered).toMatchObject({ payment_providers: [{ id: "pp_system_default" }], count: 1 })
      const cartId = await shopper.cart()
      const collectionId = await shopper.collection(cartId)
      await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
        provider_id: "pp_system_default",
      })
      const { data } = await shopper.complete(cartId)
      expect(data.type).toBe("order")
    })
  },
  { CRYPTO_PAYMENTS_SECRET_KEY: "" }
)
