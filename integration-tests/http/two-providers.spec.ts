import { reconcileGatewayList, type ListReport } from "../../.medusa/server/src/workflows"
import { PAID_OK, readEndState } from "../support/end-state"
import { everythingHeard, hear } from "../support/heard-events"
import { notificationData, signedBody } from "../support/notification"
import { endOf, ledgerRow, placePaidOrder } from "../support/paid-checkout"
import { settleDue } from "../support/settle-due"
import { FIRST, notifyAt, offerBoth, SECOND } from "../support/second-provider"
import type { PreparedCheckout } from "../support/shopper"
import { describeStore, SECRET_KEY } from "../support/store-under-test"

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

    it("finds a placed, booked payment again after a partial restore, by the other provider's comparison", async () => {
      const { cartId, session } = await placePaidOrder(store)
      await loseLedger()
      const settled = hear(store, "crypto_payment.attention_required")
      expect((await reconcile(SECOND)).rows).toMatchObject([{ finding: "inserted" }])
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await ledgerRow(store, session.id)).toMatchObject({ provider_id: FIRST, attention_reason: null })
      expect(settled).toEqual([])
    })

    const PAID = { state: "paid", captured_at: null, settled_at: null, order_id: null }
    it.each([
      [
        "before the payment",
        { ...PAID, state: "open", gateway_status: null, paid_at: null, paid_session_id: null },
      ],
      ["when it was just read as paid", { ...PAID, paid_session_id: null }],
      ["when it was just claimed", PAID],
      ["when it was just captured", { settled_at: null }],
    ])("knows a placed payment again whose row was restored as it was %s", async (_, columns) => {
      const { cartId, session } = await placePaidOrder(store)
      await everythingHeard(store)
      const threeWeeksAgo = store.knex.raw("now() - interval '21 days'")
      await store.knex("order").update({ created_at: threeWeeksAgo })
      await store.knex("capture").update({ created_at: threeWeeksAgo })
      await store.knex("crypto_payment_request").update({
        ...{ created_at: threeWeeksAgo, paid_at: threeWeeksAgo, captured_at: threeWeeksAgo },
        ...{ order_announced_at: null, next_check_at: store.knex.fn.now() },
        ...columns,
      })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await ledgerRow(store, session.id)).toMatchObject({ paid_session_id: session.id })

      // Its order was announced three weeks ago.
      const placed = hear(store, "order.placed")
      await store
        .knex("crypto_payment_request")
        .update({ settled_at: store.knex.raw("now() - interval '2 minutes'") })
      await store.runSchedule()
      await everythingHeard(store)
      expect(placed).toEqual([])
    })

    it.each([
      ["no", "a row was restored as it was just settled", { order: 21, capture: 21, settled: 21 }, 0],
      ["its", "an order was placed anew for it now", { order: 0, capture: 21, settled: 21 }, 1],
      ["its", "an order was placed first, and is paid days later", { order: 3, capture: 0, settled: 0 }, 1],
    ])("sends %s order.placed when %s", async (_sent, _when, days, times) => {
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
      expect(placed).toHaveLength(times)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      await store.knex("crypto_payment_request").update({ order_announced_at: new Date() })
    })

    it("finds an unplaced payment again, and places its order", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await loseLedger()
      await store.gateway.pay(session.data.payment_request_id)
      await reconcile(SECOND)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    describe("a payment that a comparison found before Medusa knew its session", () => {
      /** As a comparison leaves it that ran between two parts of a restore. */
      const findTooEarly = async (): Promise<PreparedCheckout> => {
        const placed = await placePaidOrder(store)
        const { id } = placed.session
        await loseLedger()
        await store.knex("payment_session").where({ id }).update({ deleted_at: store.knex.fn.now() })
        await reconcile(SECOND)
        await settleDue(store)
        await store.knex("payment_session").where({ id }).update({ deleted_at: null })
        expect(await rows()).toMatchObject([{ attention_reason: "orphan_paid", cart_id: null }])
        return placed
      }
      const rows = async (): Promise<Record<string, unknown>[]> =>
        await store.knex("crypto_payment_request").whereNull("deleted_at").select()

      it.each([FIRST, SECOND])(
        "belongs to its order again after the next comparison of %s",
        async (provider) => {
          const { cartId, session } = await findTooEarly()
          expect((await reconcile(provider)).rows).toMatchObject([{ finding: "check_requested" }])
          await settleDue(store)
          expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
          expect(await rows()).toMatchObject([
            { provider_id: FIRST, session_id: session.id, paid_session_id: session.id },
          ])
          expect((await reconcile(provider)).rows).toEqual([])
        }
      )

      it("stays with the merchant when the case was closed", async () => {
        store.leavesDamage("the merchant has sent the money of a placed order back")
        await findTooEarly()
        await store.knex("crypto_payment_request").update({ attention_resolved_at: store.knex.fn.now() })
        expect((await reconcile(FIRST)).rows).toEqual([])
        expect(await rows()).toMatchObject([{ attention_reason: "orphan_paid", paid_session_id: null }])
      })
    })
  },
  { CRYPTO_PAYMENTS_SECOND_PROVIDER: "second", CRYPTO_PAYMENTS_SECOND_SECRET_KEY: SECRET_KEY }
)
