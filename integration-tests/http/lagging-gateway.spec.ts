import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { settlePaymentRequestWorkflow } from "../../.medusa/server/src/workflows"
import { PAID_OK, readEndState, UNPAID } from "../support/end-state"
import type { Fault } from "../support/gateway-control"
import { hear } from "../support/heard-events"
import { endOf, ledgerRow } from "../support/paid-checkout"
import { notificationData, signedBody } from "../support/notification"
import { settleDue } from "../support/settle-due"
import type { PreparedCheckout } from "../support/shopper"
import { describeStore } from "../support/store-under-test"
import { readTimeline } from "../support/timeline"
import { waitUntil } from "../support/wait-until"

const HOUR_MS = 60 * 60_000

describeStore("a gateway", (store) => {
  describe("whose reads lag behind its notifications", () => {
    /** The store under test runs its schedule on the minute; what follows must end before. */
    const betweenTicks = async (): Promise<void> => {
      await waitUntil(
        async () => await Promise.resolve(new Date().getSeconds()),
        (second) => second > 2 && second < 40,
        70_000
      )
    }
    const readTimes = async (): Promise<number[]> => (await store.gateway.calls("GET")).map(({ at }) => at)
    const notifyPaid = async ({ session }: PreparedCheckout): Promise<void> => {
      const answer = await fetch(store.webhookUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: signedBody(notificationData(session.data.payment_request_id, { status: "PAID" })),
      })
      expect(answer.status).toBe(200)
    }

    it("by two reads costs the payer less than ten seconds, and no tick is needed", async () => {
      const checkout = await store.shopper().checkout()
      await store.gateway.pay(checkout.session.data.payment_request_id, { visibleAfterReads: 2 })
      await betweenTicks()
      const startedAt = Date.now()
      await notifyPaid(checkout)
      await endOf(store, checkout.cartId)
      expect(Date.now() - startedAt).toBeLessThan(10_000)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
      expect(await readTimes()).toHaveLength(3)
    })

    it("is read at once, after two and after five seconds, also when the notification comes twenty times more", async () => {
      const checkout = await store.shopper().checkout()
      await store.gateway.pay(checkout.session.data.payment_request_id, { visible: false })
      await betweenTicks()
      await notifyPaid(checkout)
      const first = (await waitUntil(readTimes, ({ length }) => length === 1))[0] ?? 0
      for (let repeat = 0; repeat < 20; repeat++) {
        await notifyPaid(checkout)
      }
      // The third read can only be the one of the fifth second when none of the twenty has caused one.
      const reads = await waitUntil(readTimes, ({ length }) => length >= 3)
      const afterMs = reads.slice(1).map((at) => at - first)
      expect(afterMs).toHaveLength(2)
      expect(afterMs[0]).toBeGreaterThan(1700)
      expect(afterMs[1]).toBeGreaterThan(4700)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(UNPAID)
    })

    it("is asked by the next tick when the process that was notified has ended", async () => {
      const checkout = await store.shopper().checkout()
      const id = checkout.session.data.payment_request_id
      await store.gateway.pay(id, { visibleAfterReads: 1 })
      const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      await betweenTicks()
      const [recorded] = await ledger.queue.recordNotification(["pp_crypto_default"], {
        paymentRequestId: id,
        approvalHash: "a".repeat(64),
        reportsPaid: true,
      })
      // A settle outside the queue of this process: what remains of it is the row.
      await settlePaymentRequestWorkflow(store.container).run({
        input: { id: String(recorded?.id), trigger: "admin" },
      })
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(UNPAID)
      await waitUntil(
        async () => await ledger.queue.listDue(1),
        ({ length }) => length === 1,
        5000
      )
      await store.runSchedule()
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
    })
  })

  describe("that fails now in this way, now in that one", () => {
    const UNREADABLE: Fault = { endpoint: "read", kind: "status", status: 503 }
    const REFUSED: Fault = { endpoint: "read", kind: "status", status: 401 }

    const settleWhile = async (fault: Fault | null, changes: Record<string, unknown> = {}): Promise<void> => {
      await store.gateway.recover()
      if (fault !== null) {
        await store.gateway.fail(fault)
      }
      await store.knex("crypto_payment_request").update({ ...changes, next_check_at: new Date(0) })
      await settleDue(store)
    }
    const ago = (ms: number): Date => new Date(Date.now() - ms)
    const cases = async (id: string): Promise<unknown[]> =>
      (await readTimeline(store, id)).filter(({ type }) => ["attention", "resolved"].includes(type))

    it("is not said to refuse when one refusal follows two hours of outage", async () => {
      const { session } = await store.shopper().checkout()
      await settleWhile(UNREADABLE)
      const twoHours = { failing_since: ago(2 * HOUR_MS), unread_since: ago(2 * HOUR_MS) }
      await settleWhile(REFUSED, twoHours)
      const row = await ledgerRow(store, session.id)
      expect(row).toMatchObject({ failure: "refused", attention_reason: null })
      expect(row.failing_since?.getTime()).toBeGreaterThan(Date.now() - HOUR_MS)
      // An hour of nothing but refusals is one.
      await settleWhile(REFUSED, { failing_since: ago(HOUR_MS) })
      expect(await cases(row.id)).toEqual([{ type: "attention", detail: { reason: "gateway_refuses" } }])
    })

    it("opens one case after a day, none at later changes, and one success closes it", async () => {
      const heard = hear(store, "crypto_payment.attention_required")
      const { session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      await settleWhile(UNREADABLE)
      await settleWhile(REFUSED, { unread_since: ago(23 * HOUR_MS) })
      expect(await cases(id)).toEqual([])

      await settleWhile(UNREADABLE, { unread_since: ago(25 * HOUR_MS) })
      for (const fault of [REFUSED, UNREADABLE, REFUSED]) {
        await settleWhile(fault)
      }
      // Each way has now lasted long enough for a case of its own.
      await settleWhile(REFUSED, { failing_since: ago(2 * HOUR_MS) })
      const opened = { type: "attention", detail: { reason: "gateway_unreadable" } }
      expect(await cases(id)).toEqual([opened])

      await settleWhile(null)
      expect(await cases(id)).toEqual([
        opened,
        { type: "resolved", detail: { reason: "gateway_unreadable" } },
      ])
      expect(await ledgerRow(store, session.id)).toMatchObject({
        failure: null,
        failing_since: null,
        unread_since: null,
        attention_reason: null,
      })
      expect(heard.map(({ reason }) => reason)).toEqual(["gateway_unreadable"])
    })
  })
})
