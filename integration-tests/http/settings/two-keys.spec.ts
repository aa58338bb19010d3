import { PAID_OK, readEndState, UNPAID } from "../../support/end-state"
import { notificationData, signedBody } from "../../support/notification"
import { endOf, ledgerRow } from "../../support/paid-checkout"
import { notifyAt, offerBoth, SECOND } from "../../support/second-provider"
import { nothingIsDue } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"

const SECOND_KEY = "second-secret"

describeStore(
  "two providers with a key each",
  (store) => {
    let first: PreparedCheckout
    let second: PreparedCheckout

    beforeEach(async () => {
      await offerBoth(store)
      first = await store.shopper().checkout()
      second = await store.shopper().checkout({}, SECOND)
    })

    const isNotTaken = async (...checkouts: PreparedCheckout[]): Promise<void> => {
      await nothingIsDue(store)
      for (const { cartId, session } of checkouts) {
        expect((await ledgerRow(store, session.id)).last_webhook_at).toBeNull()
        expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
      }
    }

    it("take a notification at either path when the key of the row's own provider verifies it", async () => {
      const { payment_request_id } = second.session.data
      await store.gateway.pay(payment_request_id)
      const body = signedBody(notificationData(payment_request_id, { status: "PAID" }), SECOND_KEY)
      expect(await notifyAt(store, "default", body)).toBe(200)
      await endOf(store, second.cartId)
      expect(await readEndState(store.knex, second.cartId)).toEqual(PAID_OK)
      await isNotTaken(first)
    })

    it("refuse what only the other provider's key verifies", async () => {
      const { payment_request_id } = first.session.data
      const body = signedBody(notificationData(payment_request_id, { status: "PAID" }), SECOND_KEY)
      expect(await notifyAt(store, "default", body)).toBe(401)
      await isNotTaken(first, second)
    })

    it("drop what the path's key verifies and the key of the row's own provider does not", async () => {
      const { payment_request_id } = second.session.data
      const body = signedBody(notificationData(payment_request_id, { status: "PAID" }))
      expect(await notifyAt(store, "default", body)).toBe(200)
      await isNotTaken(first, second)
    })

    it("refuse at the wrong path what is about nobody's request", async () => {
      const body = signedBody(notificationData("another-shops-request"), SECOND_KEY)
      expect(await notifyAt(store, "default", body)).toBe(401)
      expect(await notifyAt(store, "second", body)).toBe(200)
    })
  },
  { CRYPTO_PAYMENTS_SECOND_PROVIDER: "second", CRYPTO_PAYMENTS_SECOND_SECRET_KEY: SECOND_KEY }
)
