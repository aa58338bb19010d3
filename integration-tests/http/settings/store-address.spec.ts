import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK } from "../../support/end-state"
import { endOf, payAndNotify } from "../../support/paid-checkout"
import { describeStore } from "../../support/store-under-test"

const PROVIDER = "pp_crypto_default"
const BASE = "/admin/crypto-payments"

describeStore(
  "the store's own address",
  (store) => {
    const stored = async (): Promise<unknown> =>
      (await store.knex("crypto_payment_provider_status").where({ id: PROVIDER }).first()).set_up_address
    const changedFrom = async (): Promise<unknown> => {
      const { data } = await store.http.get(`${BASE}/health`, await store.admin())
      return data.providers[0].address_changed_from
    }
    const setUpAt = async (set_up_address: string): Promise<void> => {
      await store.knex("crypto_payment_provider_status").where({ id: PROVIDER }).update({ set_up_address })
    }

    it("is noted when the store first starts with it", async () => {
      expect([await stored(), await changedFrom()]).toEqual(["https://shop.example/backend", null])
    })

    it("may be written with a slash at its end, or in capitals", async () => {
      await setUpAt("https://SHOP.example/backend/")
      expect(await changedFrom()).toBeNull()
    })

    it("is a warning when it is not that of the set-up, and stays one after another start", async () => {
      await setUpAt("https://production.example")
      const { settings, statuses } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      await statuses.noteAddresses(settings)
      expect(await changedFrom()).toBe("https://production.example")
    })

    it("stops no capture when it has changed", async () => {
      await setUpAt("https://production.example")
      const { cartId, session } = await store.shopper().checkout()
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("is accepted by saving the settings", async () => {
      await setUpAt("https://production.example")
      const saved = await store.http.post(`${BASE}/settings/${PROVIDER}`, { version: 0 }, await store.admin())
      expect(saved.status).toBe(200)
      expect([await stored(), await changedFrom()]).toEqual(["https://shop.example/backend", null])
    })
  },
  { CRYPTO_PAYMENTS_PUBLIC_URL: "https://shop.example/backend" }
)
