import { settingsDesk } from "../../support/admin-api"
import { readEndState } from "../../support/end-state"
import { ledgerRow } from "../../support/paid-checkout"
import { describeStore, SECRET_KEY } from "../../support/store-under-test"
import {
  cancelByHand as cancel,
  failedFor,
  HOUR_MS,
  orderStatus,
  PLACED_FIRST,
  placeUnpaidOrder,
  reservations,
  settleLater as settle,
} from "../../support/unpaid-order"

describeStore(
  "an unpaid order whose provider is not configured any more",
  (store) => {
    const desk = settingsDesk(store)
    const connection = (version: number): Record<string, unknown> => ({
      version,
      base_url: store.gatewayBaseUrl,
      secret_key: SECRET_KEY,
      auth: { type: "bearer", token: "integration-token" },
    })

    it("cannot be cancelled while its link may be paid, and is captured once the provider is back", async () => {
      expect((await desk.get()).status).toBe(200)
      expect((await desk.post(connection(0))).status).toBe(200)
      const { orderId, cartId, session } = await placeUnpaidOrder(store)
      const saved = await store.knex("crypto_payment_settings").first()
      await store.gateway.pay(session.data.payment_request_id)
      await store.knex("crypto_payment_settings").delete()
      expect((await desk.get()).data.settings.configured).toBe(false)

      const offered = await store.http.post(
        `/admin/crypto-payments/orders/${orderId}/payment-link`,
        {},
        await store.admin()
      )
      expect([offered.status, offered.data]).toEqual([
        400,
        { type: "invalid_data", code: "not_configured", message: expect.stringContaining("Missing: ") },
      ])

      expect(await cancel(store, orderId)).toEqual([400, "pending"])
      await settle(store, 31)
      await failedFor(store, 2 * HOUR_MS)
      await settle(store, 24 * 60)
      expect([await orderStatus(store, orderId), await reservations(store, orderId)]).toEqual(["pending", 1])
      expect((await ledgerRow(store, session.id)).state).toBe("open")

      await store.knex("crypto_payment_settings").insert({
        ...saved,
        values: JSON.stringify(saved.values),
        secrets: JSON.stringify(saved.secrets),
      })
      expect((await desk.get()).data.settings.configured).toBe(true)
      await settle(store, 0)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        captures: ["20.01"],
        transactions: ["20.01"],
        ledger: [{ state: "captured", settled: true, attention: null }],
      })
    })
  },
  {
    ...PLACED_FIRST,
    CRYPTO_PAYMENTS_BASE_URL: "",
    CRYPTO_PAYMENTS_SECRET_KEY: "",
    CRYPTO_PAYMENTS_TOKEN: "",
    CRYPTO_PAYMENTS_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
  }
)
