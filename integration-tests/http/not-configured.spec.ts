import { describeStore } from "../support/store-under-test"

describeStore(
  "a provider whose secret key is not given",
  (store) => {
    it("answers session creation with 400 naming what is missing, and calls nobody", async () => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data.message]).toEqual([400, expect.stringContaining("Missing: secretKey.")])
      expect(await store.gateway.calls()).toEqual([])
    })

    it("answers its webhook with 503", async () => {
      const { status, data } = await store.http.post("/hooks/payment/crypto_default", {
        data: {},
        approval_hash: "",
      })
      expect([status, data.type]).toEqual([503, "unexpected_state"])
    })

    it("leaves the other ways to pay alone", async () => {
      const shopper = store.shopper()
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
