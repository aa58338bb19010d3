import { reconcileGatewayList, type ListReport } from "../../../.medusa/server/src/workflows"
import { runAudit } from "../../support/audit"
import { PAID_OK, readEndState } from "../../support/end-state"
import { everythingHeard, hear } from "../../support/heard-events"
import { notificationData, signedBody } from "../../support/notification"
import { endOf, placePaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { notifyAt, offerBoth, SECOND } from "../../support/second-provider"
import { describeStore, SECRET_KEY } from "../../support/store-under-test"

describeStore(
  "two providers on one gateway account",
  (store) => {
    beforeEach(async () => {
      await offerBoth(store)
    })

    it("settles at once what is notified at the other provider's path", async () => {
      const { cartId, session } = await store.shopper().checkout({}, SECOND)
      await store.gateway.pay(session.data.payment_request_id)
      const body = signedBody(notificationData(session.data.payment_request_id, { status: "PAID" }))
      expect(await notifyAt(store, "default", body)).toBe(200)
      await endOf(store, cartId)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    const reconcile = async (provider_id: string): Promise<ListReport> =>
      await reconcileGatewayList(store.container, { provider_id })
    /** The ledger's tables come from an older backup than core's. */
    const loseLedger = async (): Promise<void> => {
      await store.knex("crypto_payment_activity").delete()
      await store.knex("crypto_payment_request").delete()
    }

    it("is a case, and a finding of the audit, when the plugin's tables are older than Medusa's", async () => {
      store.leavesDamage("the plugin's tables come from an older backup than Medusa's")
      const { cartId } = await placePaidOrder(store)
      await loseLedger()
      expect((await reconcile(SECOND)).rows).toMatchObject([{ finding: "unknown_session" }])
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual({ ...PAID_OK, ledger: [] })
      expect(await store.knex("crypto_payment_request").pluck("attention_reason")).toEqual(["orphan_paid"])
      expect((await runAudit(store)).findings.map(({ rule }) => rule)).toContain("captured_without_paid")
    })

    it.each([
      ["an order was placed anew for it now", { order: 0, capture: 21, settled: 21 }],
      ["an order was placed first, and is paid days later", { order: 3, capture: 0, settled: 0 }],
    ])("sends its order.placed when %s", async (_when, days) => {
      const { cartId } = await placePaidOrder(store)
      await everythingHeard(store)
      const ago = (age: number) =>
        store.knex.raw("now() - interval '2 minutes' - ? * interval '1 day'", [age])
      await store.knex("order").update({ created_at: ago(days.order) })
      await store.knex("capture").update({ created_at: ago(days.capture) })
      await store
        .knex("crypto_payment_request")
        .update({ settled_at: ago(days.settled), order_announced_at: null })
      const placed = hear(store, "order.placed")
      await store.runSchedule()
      await everythingHeard(store)
      expect(placed).toHaveLength(1)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      await store.knex("crypto_payment_request").update({ order_announced_at: new Date() })
    })
  },
  { CRYPTO_PAYMENTS_SECOND_PROVIDER: "second", CRYPTO_PAYMENTS_SECOND_SECRET_KEY: SECRET_KEY }
)
