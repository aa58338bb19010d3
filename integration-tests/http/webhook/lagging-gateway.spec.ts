import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK, readEndState, UNPAID } from "../../support/end-state"
import type { Fault } from "../../support/gateway-control"
import { hear } from "../../support/heard-events"
import { HeldTimers, neverGiveUpCalls } from "../../support/held-timers"
import { endOf, ledgerRow } from "../../support/paid-checkout"
import { notificationData, signedBody } from "../../support/notification"
import { nothingIsDue, settleDue, settleBeside } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { readTimeline } from "../../support/timeline"
import { waitUntil } from "../../support/wait-until"

const HOUR_MS = 60 * 60_000

describeStore("a gateway", (store) => {
  describe("whose reads lag behind its notifications", () => {
    neverGiveUpCalls()
    let timers: HeldTimers
    beforeEach(async () => {
      timers = new HeldTimers("workflows/settle-worker")
      await store.gateway.hold("read")
    })
    afterEach(() => {
      timers.end()
    })

    const reads = async (): Promise<number> => (await store.gateway.calls("GET")).length
    /**
     * Answers the read that is under way, has it decided so many milliseconds after the notification, and waits for what
     * follows. The notification is dated five minutes ahead: no row is due before the test says so.
     */
    const answerRead = async ({ session }: PreparedCheckout, afterMs: number): Promise<number> => {
      await store.gateway.untilHeld(1)
      await store
        .knex("crypto_payment_request")
        .update({ notified_at: store.knex.raw("now() + interval '5 minutes'") })
      const notifiedMs = Number((await ledgerRow(store, session.id)).notified_at)
      const { facts } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const readFacts = facts.read.bind(facts)
      const deciding = jest.spyOn(facts, "read").mockImplementationOnce(async (id) => ({
        ...(await readFacts(id)),
        database_now: new Date(notifiedMs + afterMs),
      }))
      await store.gateway.release(1)
      await waitUntil(
        async () => await Promise.resolve(timers.delaysMs),
        ({ length }) => length === 1
      )
      deciding.mockRestore()
      const nextMs = Number((await ledgerRow(store, session.id)).next_check_at) - notifiedMs
      // The timer of this process is set to that moment.
      expect(timers.delaysMs).toEqual([nextMs - afterMs])
      return nextMs
    }
    /** The time of the next read has come. */
    const readAgain = async (): Promise<void> => {
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      timers.fire()
      await store.gateway.untilHeld(1)
    }
    const notifyPaid = async ({ session }: PreparedCheckout): Promise<void> => {
      const answer = await fetch(store.webhookUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: signedBody(notificationData(session.data.payment_request_id, { status: "PAID" })),
      })
      expect(answer.status).toBe(200)
    }

    it("by two reads costs the payer five seconds, and no tick is needed", async () => {
      const checkout = await store.shopper().checkout()
      await store.gateway.pay(checkout.session.data.payment_request_id, { visibleAfterReads: 2 })
      await notifyPaid(checkout)
      expect(await answerRead(checkout, 0)).toBe(2000)
      await readAgain()
      expect(await answerRead(checkout, 2000)).toBe(5000)
      await readAgain()
      await store.gateway.release()
      await endOf(store, checkout.cartId)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
      expect(await reads()).toBe(3)
    })

    it("is read at once, after two and after five seconds, also when the notification comes twenty times more", async () => {
      const checkout = await store.shopper().checkout()
      await store.gateway.pay(checkout.session.data.payment_request_id, { visible: false })
      await notifyPaid(checkout)
      expect(await answerRead(checkout, 0)).toBe(2000)
      for (let repeat = 0; repeat < 20; repeat++) {
        await notifyPaid(checkout)
      }
      await nothingIsDue(store)
      await readAgain()
      expect(await answerRead(checkout, 2000)).toBe(5000)
      await readAgain()
      expect(await answerRead(checkout, 5000)).toBe(10_000)
      expect(await reads()).toBe(3)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(UNPAID)
    })

    it("is asked by the next tick when the process that was notified has ended", async () => {
      await store.gateway.release()
      const checkout = await store.shopper().checkout()
      const id = checkout.session.data.payment_request_id
      await store.gateway.pay(id, { visibleAfterReads: 1 })
      const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const [recorded] = await ledger.queue.recordNotification(["pp_crypto_default"], {
        paymentRequestId: id,
        reportsPaid: true,
        sessionId: checkout.session.id,
      })
      // What remains of it is the row.
      await settleBeside(store, String(recorded?.id))
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(UNPAID)
      const { next_check_at, notified_at } = await ledgerRow(store, checkout.session.id)
      // By the quick checks. The ordinary ones begin after a minute.
      expect(Number(next_check_at) - Number(notified_at)).toBeLessThanOrEqual(40_000)
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
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
