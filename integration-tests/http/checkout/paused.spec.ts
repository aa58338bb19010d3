import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import auditAtNight from "../../../.medusa/server/src/jobs/audit-payments"
import reconcileAtNight from "../../../.medusa/server/src/jobs/reconcile-gateway-list"
import { PAID_OK } from "../../support/end-state"
import { endOf, ledgerRow, payAndNotify, placePaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

const VARIABLE = "CRYPTO_PAYMENTS_PAUSED"
const PROVIDER = "pp_crypto_default"
const BASE = "/admin/crypto-payments"

describeStore("a paused store", (store) => {
  const pause = (): void => {
    process.env[VARIABLE] = "true"
  }
  const goOn = (): void => {
    // oxlint-disable-next-line @typescript-eslint/no-dynamic-delete -- the environment has no other way
    delete process.env[VARIABLE]
  }
  // Before the audit that follows each test, and its wait.
  afterEach(goOn)

  /** Everything that a store keeps of payments and orders, and what it asked the gateway. */
  const everything = async (): Promise<unknown> => {
    const tables = ["payment_session", "payment", "capture", "refund", "order", "order_transaction"]
    const ours = ["crypto_payment_request", "crypto_payment_refund", "crypto_payment_activity"]
    const all = await Promise.all(
      [...tables, ...ours, "crypto_payment_reconciliation", "crypto_payment_audit"].map(
        async (table) => await store.knex(table).select().orderBy("id")
      )
    )
    return { all, calls: (await store.gateway.calls()).length }
  }
  const ask = async (path: string, body: object = {}): Promise<unknown[]> => {
    const { status, data } = await store.http.post(`${BASE}${path}`, body, await store.admin())
    return [status, data.type, data.code]
  }

  it("reads, settles and completes nothing; the first tick afterwards settles what has waited", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const { payment_request_id: paymentRequestId } = session.data
    await store.gateway.pay(paymentRequestId)
    await store
      .knex("crypto_payment_request")
      .where({ session_id: session.id })
      .update({ next_check_at: new Date(0) })
    pause()
    const before = await everything()

    expect(await store.gateway.notify(paymentRequestId)).toEqual([503])
    await store.runSchedule()
    await reconcileAtNight(store.container)
    await auditAtNight(store.container)
    await store.untilQuiet()
    expect(await everything()).toEqual(before)

    goOn()
    await settleDue(store)
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })

  it("does not settle for a payer who returns, whose return is settled afterwards", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    const calls = (await store.gateway.calls()).length
    pause()
    const { status, data } = await store.shopper().get(`/crypto-payments/${session.id}`)
    await store.untilQuiet()
    expect([status, data.status, (await store.gateway.calls()).length]).toEqual([
      200,
      "awaiting_payment",
      calls,
    ])
    goOn()
    await settleDue(store)
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })

  it("completes no cart by crypto, not even one whose payment is known", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    const { id } = await ledger.gateways.check(await ledgerRow(store, session.id))
    await ledger.queue.requestCheck(id)
    pause()
    const { status, data } = await store.shopper().complete(cartId)
    expect([status, data.type, data.code]).toEqual([400, "not_allowed", "paused"])
    await store.untilQuiet()
    expect(await store.knex("order").pluck("id")).toEqual([])
    expect(await store.knex("capture").pluck("id")).toEqual([])
    goOn()
    await settleDue(store)
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })

  it("answers an admin user's actions with 400 `paused`, and changes nothing", async () => {
    const { id, orderId } = await placePaidOrder(store)
    pause()
    const before = await everything()
    const paused = [400, "not_allowed", "paused"]
    expect(await ask(`/${id}/settle`)).toEqual(paused)
    expect(await ask(`/${id}/refunds`, { amount: "1.00", reference: "back" })).toEqual(paused)
    expect(await ask(`/${id}/payment-link`)).toEqual(paused)
    expect(await ask(`/orders/${orderId}/payment-link`)).toEqual(paused)
    expect(await ask("/reconciliation", { provider_id: PROVIDER })).toEqual(paused)
    expect(await ask(`/settings/${PROVIDER}/check`)).toEqual(paused)
    expect(await ask(`/settings/${PROVIDER}/webhook-check`)).toEqual(paused)
    const { status, data } = await store.http.get(`${BASE}/balances`, await store.admin())
    expect([status, data.code]).toEqual([400, "paused"])
    await store.untilQuiet()
    expect(await everything()).toEqual(before)
  })

  it("still shows payments and saves settings", async () => {
    const { id } = await placePaidOrder(store)
    pause()
    const shown = await store.http.get(`${BASE}/${id}`, await store.admin())
    expect([shown.status, shown.data.crypto_payment.gateway_problem.problem]).toEqual([200, "paused"])
    const saved = await store.http.post(
      `${BASE}/settings/${PROVIDER}`,
      { version: 0, timeout_ms: 5000 },
      await store.admin()
    )
    expect(saved.status).toBe(200)
    const { data } = await store.http.get(`${BASE}/health`, await store.admin())
    expect(data.paused).toBe(true)
  })

  it("does not offer crypto, gives no link, and lets a shopper pay another way", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId } = await shopper.checkout()
    pause()
    const calls = (await store.gateway.calls()).length
    const { data } = await shopper.get(`/payment-providers?region_id=${store.seeded.regions.usd}`)
    expect(data).toMatchObject({ payment_providers: [{ id: "pp_system_default" }], count: 1 })
    const refused = await shopper.openSession(collectionId)
    expect([refused.status, refused.data]).toEqual([
      400,
      {
        type: "invalid_data",
        code: "paused",
        message:
          "Crypto payments are not available in this shop at the moment. Choose another payment method.",
      },
    ])
    const other = await shopper.openSession(collectionId, undefined, "pp_system_default")
    expect(other.status).toBe(200)
    const completed = await shopper.complete(cartId)
    expect(completed.data.type).toBe("order")
    expect((await store.gateway.calls()).length).toBe(calls)
  })

  it("is not what a store is without the variable", async () => {
    const { cartId, session } = await store.shopper().checkout()
    process.env[VARIABLE] = "false"
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
    const { data } = await store.http.get(`${BASE}/health`, await store.admin())
    expect(data.paused).toBe(false)
  })
})
