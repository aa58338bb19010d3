import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK, readEndState, UNPAID } from "../../support/end-state"
import { gatewayList } from "../../support/gateway-list"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { settleLater } from "../../support/unpaid-order"

describeStore("reconciling the gateway's list", (store) => {
  const on = gatewayList(store)

  /** A checkout whose payment request exists at the gateway, and whose answer never came. */
  const loseAnswer = async (): Promise<{ cartId: string; paymentRequestId: string; sessionId: string }> => {
    const shopper = store.shopper()
    const cartId = await shopper.cart()
    const collectionId = await shopper.collection(cartId)
    await store.gateway.fail({ endpoint: "create", kind: "reset", applied: "after", times: 1 })
    expect((await shopper.openSession(collectionId)).status).toBe(500)
    const [lost] = await store.gateway.payments()
    const [paymentRequestId, sessionId] = [String(lost?.payment_request_id), String(lost?.note)]
    expect(await on.rows()).toMatchObject([
      { state: "closed", payment_request_id: null, session_id: sessionId },
    ])
    return { cartId, paymentRequestId, sessionId }
  }

  describe("a request whose creation's answer was lost", () => {
    it("gets its row back, and is watched", async () => {
      const { paymentRequestId, sessionId } = await loseAnswer()
      const report = await on.reconcile()
      const [row] = await on.rows()
      expect(row).toMatchObject({
        payment_request_id: paymentRequestId,
        session_id: sessionId,
        state: "closed",
      })
      expect(report).toMatchObject({
        complete: true,
        counts: { listed: 1, adopted: 1, not_listed: 0 },
        rows: [
          {
            id: row?.["id"],
            payment_request_id: paymentRequestId,
            finding: "adopted",
            listed_status: "UNPAID",
          },
        ],
      })
      await settleDue(store)
      expect(await on.rows()).toMatchObject([{ gateway_status: "UNPAID", attention_reason: null }])
      expect(await on.reconcile()).toMatchObject({ counts: { known: 1, adopted: 0 }, rows: [] })
    })

    it("pays its cart when it is paid, since that still asks for it", async () => {
      const { cartId, paymentRequestId } = await loseAnswer()
      await store.gateway.pay(paymentRequestId)
      await on.reconcile()
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("is not read when it is notified, and is found by the next comparison", async () => {
      const { cartId, paymentRequestId } = await loseAnswer()
      const before = await on.rows()
      await store.gateway.pay(paymentRequestId)
      await store.gateway.clearCalls()
      expect(await store.gateway.notify(paymentRequestId)).toEqual([200])
      await nothingIsDue(store)
      expect(await store.gateway.calls("GET")).toEqual([])
      expect(await on.rows()).toEqual(before)

      await on.reconcile()
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("has nothing that could be checked now", async () => {
      await loseAnswer()
      const [row] = await on.rows()
      const path = `/admin/crypto-payments/${String(row?.["id"])}/settle`
      const { status, data } = await store.http.post(path, {}, await store.admin())
      expect([status, data.check]).toEqual([200, { gateway: "not_asked", changed: false }])
      expect(await on.rows()).toEqual([row])
    })

    it("counts as reported when the list says PAID: a read that denies it is a case after an hour", async () => {
      const { cartId, paymentRequestId } = await loseAnswer()
      await store.gateway.bendRecord(paymentRequestId, { fields: { payment_status: "PAID" } })
      await on.reconcile()
      await store.gateway.bendRecord(paymentRequestId)
      const hourAgo = store.knex.raw("now() - interval '1 hour'")
      await store
        .knex("crypto_payment_request")
        .where({ is_reported_paid: true })
        .update({ notified_at: hourAgo })
      await settleDue(store)
      expect(await on.rows()).toMatchObject([{ state: "closed", attention_reason: "gateway_unclear" }])
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
    })

    it("is left alone while the creation may still get its answer", async () => {
      await loseAnswer()
      await store
        .knex("crypto_payment_request")
        .update({ state: "creating", created_at: store.knex.fn.now() })
      expect((await on.reconcile()).rows).toMatchObject([{ finding: "creation_under_way" }])
      expect(await on.rows()).toMatchObject([
        { state: "creating", payment_request_id: null, next_check_at: null },
      ])
    })

    it("is found too when the instance died while creating", async () => {
      const { paymentRequestId } = await loseAnswer()
      await store.knex("crypto_payment_request").update({
        state: "creating",
        created_at: store.knex.raw("now() - interval '61 seconds'"),
      })
      expect((await on.reconcile()).counts.adopted).toBe(1)
      expect(await on.rows()).toMatchObject([{ state: "closed", payment_request_id: paymentRequestId }])
    })

    it("is found too when the instance died while creating, and its session was deleted after that", async () => {
      const { cartId, paymentRequestId, sessionId } = await loseAnswer()
      const [row] = await on.rows()
      await store.knex("crypto_payment_request").update({ state: "creating" })
      const ledger: CryptoPaymentsModuleService = store.container.resolve("cryptoPayments")
      const id = String(row?.["id"])
      await ledger.links.withdraw(id, sessionId)
      expect(await on.rows()).toMatchObject([{ state: "closed", payment_request_id: null }])
      const shown = await store.http.get(`/admin/crypto-payments/${id}?live=false`, await store.admin())
      expect(shown.data.crypto_payment.closed_because).toBe("deleted_before_answer")
      await store.gateway.pay(paymentRequestId)
      expect((await on.reconcile()).counts.adopted).toBe(1)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("is adopted once when another run is asked for meanwhile, which is told to wait", async () => {
      const { paymentRequestId } = await loseAnswer()
      await store.gateway.hold("list")
      const run = on.reconcile()
      await store.gateway.untilHeld(1)
      await expect(on.reconcile()).rejects.toMatchObject({
        type: "conflict",
        message: expect.stringContaining("being compared") as string,
      })
      await store.gateway.release()
      expect((await run).counts.adopted).toBe(1)
      expect(await on.rows()).toMatchObject([{ payment_request_id: paymentRequestId }])
    })
  })

  describe("a request the list calls PAID and the ledger does not", () => {
    it("is settled by the next tick", async () => {
      const checkout = await store.shopper().checkout()
      await on.payUnnoticed(checkout)
      const report = await on.reconcile()
      expect(report).toMatchObject({
        counts: { known: 1, check_requested: 1 },
        rows: [{ finding: "check_requested", listed_status: "PAID" }],
      })
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
      expect(await on.reconcile()).toMatchObject({ counts: { known: 1, check_requested: 0 }, rows: [] })
    })

    it("is settled although its row was closed", async () => {
      const checkout = await store.shopper().checkout()
      await store.knex("crypto_payment_request").update({ state: "closed", next_check_at: null })
      await on.payUnnoticed(checkout)
      await on.reconcile()
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
    })

    it("is read and becomes a case when it is a word that may mean PAID, although its row was read no more", async () => {
      const checkout = await store.shopper().checkout()
      const { payment_request_id } = checkout.session.data
      await store.knex("crypto_payment_request").update({ state: "closed", next_check_at: null })
      await store.gateway.bendRecord(payment_request_id, { fields: { payment_status: "COMPLETED" } })
      expect(await on.reconcile()).toMatchObject({ counts: { known: 1, check_requested: 0 }, rows: [] })
      await settleDue(store)
      await settleLater(store, 61)
      expect(await on.rows()).toMatchObject([
        { state: "closed", gateway_status: "COMPLETED", attention_reason: "gateway_unclear" },
      ])
      const [before] = await on.rows()
      await on.reconcile()
      expect(await on.rows()).toEqual([before])
    })

    it("captures nothing before the gateway's read says so", async () => {
      const checkout = await store.shopper().checkout()
      await on.payUnnoticed(checkout)
      await store.gateway.fail({ endpoint: "read", kind: "false_flag" })
      await on.reconcile()
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(UNPAID)
    })
  })

  describe("a row the gateway's list lacks", () => {
    const loseAtGateway = async (): Promise<Record<string, unknown>> => {
      await store.shopper().checkout()
      await store.gateway.reset()
      const created_at = store.knex.raw("now() - interval '2 minutes'")
      await store.knex("crypto_payment_request").update({ created_at })
      const [row] = await on.rows()
      return row ?? {}
    }

    it("is reported and stays as it is", async () => {
      const { id, payment_request_id, ...before } = await loseAtGateway()
      expect(await on.reconcile()).toMatchObject({
        complete: true,
        counts: { not_listed: 1 },
        rows: [{ id, payment_request_id, finding: "not_listed", listed_status: null }],
      })
      expect(await on.rows()).toEqual([{ id, payment_request_id, ...before }])
    })

    it("is not reported while its creation may have been running when the list was read", async () => {
      await loseAtGateway()
      await store.knex("crypto_payment_request").update({ created_at: store.knex.raw("now()") })
      expect(await on.reconcile()).toMatchObject({ complete: true, counts: { not_listed: 0 }, rows: [] })
    })

    it("is not reported of another address, nor of a list that was not seen to its end", async () => {
      await loseAtGateway()
      await store.gateway.fail({ endpoint: "list", kind: "status", status: 503 })
      const unseen = await on.reconcile()
      expect([unseen.complete, unseen.counts.not_listed]).toEqual([false, 0])
      expect(unseen.incomplete_because[0]).toEqual({ page: null, reason: "gateway_unavailable" })

      await store.gateway.recover()
      await store.knex("crypto_payment_request").update({ gateway_origin: "https://another.example" })
      expect((await on.reconcile()).counts.not_listed).toBe(0)
    })
  })

  it("gives a report of plain JSON without the payer", async () => {
    await loseAnswer()
    const report = await on.reconcile()
    const text = JSON.stringify(report)
    expect(JSON.parse(text)).toEqual(report)
    expect(text).not.toMatch(/@|Aisha|Rahman|Creek/)
  })

  it("is done by the nightly job for every configured provider", async () => {
    const { paymentRequestId } = await loseAnswer()
    await store.compareListsAtNight()
    expect(await on.rows()).toMatchObject([{ payment_request_id: paymentRequestId }])
  })

  describe("by day", () => {
    const FIRST = "pp_crypto_default"
    const runs = () => store.knex("crypto_payment_reconciliation")
    const age = async (table: string, column: string, time: string): Promise<void> => {
      await store.knex(table).update({ [column]: store.knex.raw(`now() - interval '${time}'`) })
    }
    const ageRun = async (time: string): Promise<void> => {
      await age("crypto_payment_reconciliation", "started_at", time)
      await age("crypto_payment_reconciliation", "compared_at", time)
    }
    const isDue = async (): Promise<boolean> =>
      (
        await store.container
          .resolve<CryptoPaymentsModuleService>("cryptoPayments")
          .reconciliations.listDue([FIRST])
      ).includes(FIRST)

    it("makes up for a missed night at the next hour, and compares no second time", async () => {
      await on.reconcile()
      await ageRun("5 days")
      const { paymentRequestId } = await loseAnswer()
      await store.compareListsAtNight({ hour: 10 })
      expect(await on.rows()).toMatchObject([{ payment_request_id: paymentRequestId }])
      expect(await isDue()).toBe(false)
    })

    it("compares a list for the first time", async () => {
      expect(await isDue()).toBe(true)
    })

    it("compares none that was compared last night, and one again that the gateway did not answer to", async () => {
      await on.reconcile()
      await ageRun("20 hours")
      expect(await isDue()).toBe(false)
      await ageRun("26 hours")
      expect(await isDue()).toBe(true)
      await store.gateway.fail({ endpoint: "list", kind: "status", status: 503, times: 100 })
      await on.reconcile()
      expect(await runs().first("problem")).toEqual({ problem: "unreachable" })
      expect(await isDue()).toBe(true)
    })

    const readHealth = async (): Promise<unknown> => {
      const { data } = await store.http.get("/admin/crypto-payments/health", await store.admin())
      const [{ list_compared_at, is_list_overdue }] = data.providers
      return [list_compared_at, is_list_overdue]
    }
    const DATE = expect.any(String) as string

    it("tells health when it was last compared, and after two days that it is overdue", async () => {
      expect(await readHealth()).toEqual([null, false])
      await on.reconcile()
      expect(await readHealth()).toEqual([DATE, false])
      await ageRun("47 hours")
      expect(await readHealth()).toEqual([DATE, false])
      await ageRun("49 hours")
      expect(await readHealth()).toEqual([DATE, true])
    })

    it("tells health after two days of payments that it was never compared", async () => {
      await store.shopper().checkout()
      expect(await readHealth()).toEqual([null, false])
      await age("crypto_payment_request", "created_at", "49 hours")
      expect(await readHealth()).toEqual([null, true])
    })
  })
})
