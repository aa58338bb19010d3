import { Modules } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import type { LeasedRow } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/leases"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { runAudit } from "../../support/audit"
import { readEndState } from "../../support/end-state"
import { everythingHeard } from "../../support/heard-events"
import { ledgerRow, payOrphan } from "../../support/paid-checkout"
import { payWithoutOrder } from "../../support/refused-orders"
import { Refunds } from "../../support/refunds"
import { settleDue, settleToEnd } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("refunds and cancellation", (store) => {
  const on = new Refunds(store)

  it("registers the refund of an orphan, which Medusa has no payment for, and closes its case", async () => {
    const { cartId, id } = await payOrphan(store)
    expect((await on.register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      payments: [],
      refunds: [],
      ledger: [{ state: "refunded", attention: null }],
    })
  })

  describe.each([
    ["in full", "20.01", { state: "refunded", attention: null }],
    ["in part", "5.00", { state: "captured", attention: "orphan_paid" }],
  ])("of a payment without an order, %s", (_, amount, row) => {
    const end = {
      collection: { captured: "20.01", refunded: amount },
      captures: ["20.01"],
      refunds: [amount],
      orders: 0,
      transactions: [],
    }

    it("never lets its cart become an order", async () => {
      const shopper = store.shopper()
      const { cartId, session } = await payWithoutOrder(store, shopper)
      const { id } = await ledgerRow(store, session.id)
      expect((await on.register(id, amount)).status).toBe(200)

      const completed = await shopper.complete(cartId)
      expect([completed.status, completed.data.type]).toEqual([400, "not_allowed"])
      await on.post(`/crypto-payments/${id}/settle`)
      expect(await readEndState(store.knex, cartId)).toMatchObject({ ...end, ledger: [row] })
    })

    it("is told so at the next tick, whenever it was to be checked next", async () => {
      const { cartId, session } = await payWithoutOrder(store)
      const { id } = await ledgerRow(store, session.id)
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(Date.now() + 3_600_000) })
      await on.register(id, amount)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toMatchObject({ ...end, ledger: [row] })
    })

    it("nor when the shopper was past the guard while it was registered", async () => {
      const { cartId, session } = await payWithoutOrder(store)
      await on.register((await ledgerRow(store, session.id)).id, amount)
      const { errors } = await completeCartWorkflow(store.container).run({
        input: { id: cartId },
        throwOnError: false,
      })
      expect(errors).not.toEqual([])
      expect(await readEndState(store.knex, cartId)).toMatchObject(end)
    })
  })

  it("can be paid again when all was sent back, and the order of the new payment has right books", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await payWithoutOrder(store, shopper)
    const { id } = await ledgerRow(store, session.id)
    expect((await on.register(id, "20.01")).status).toBe(200)
    await settleDue(store)
    const again = await shopper.openSession(collectionId)
    const [renewed] = again.data.payment_collection.payment_sessions
    await store.gateway.pay(renewed.data.payment_request_id)

    const { status, data } = await shopper.complete(cartId)
    expect([status, data.type, data.message]).toEqual([200, "order", undefined])
    await settleDue(store)
    await settleToEnd(store, (await ledgerRow(store, renewed.id)).id)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      captures: ["20.01", "20.01"],
      refunds: ["20.01"],
      orders: 1,
      transactions: ["20.01"],
      ledger: [
        { state: "refunded", attention: null },
        { state: "captured", settled: true, attention: null },
      ],
    })
    expect((await runAudit(store)).findings).toEqual([])
  })

  it("gives no link for the rest of a cart whose payment was sent back in part", async () => {
    const shopper = store.shopper()
    const { collectionId, session } = await payWithoutOrder(store, shopper)
    expect((await on.register((await ledgerRow(store, session.id)).id, "5.00")).status).toBe(200)
    const { status, data } = await shopper.openSession(collectionId)
    expect([status, data.message]).toEqual([400, expect.stringContaining("Start a new cart")])
  })

  it("binds no session to money that was sent back, if only in part", async () => {
    const { id, session } = await payOrphan(store)
    const { requests } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    expect((await on.register(id, "1.00")).status).toBe(200)
    const row = (await requests.require(id)) as LeasedRow
    expect(await requests.claimSession(row, { ...row, session_id: session.id })).toBe(false)
    expect(await ledgerRow(store, session.id)).toMatchObject({ paid_session_id: null })
  })

  it("does not place an order with money that was sent back before it was captured", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.knex("crypto_payment_request").update({
      state: "paid",
      paid_at: new Date(),
      gateway_amount: "20.01",
      gateway_currency_symbol: "USD",
    })
    expect((await on.register((await ledgerRow(store, session.id)).id, "20.01")).status).toBe(200)
    const { data } = await shopper.complete(cartId)
    expect(data.type).toBe("cart")
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      payments: [],
      orders: 0,
      ledger: [{ state: "refunded" }],
    })
  })

  describe("the attention list", () => {
    it("is checked now, and resolved with a note, once", async () => {
      const { id } = await payOrphan(store)
      expect((await on.post(`/crypto-payments/${id}/settle`)).data.crypto_payment.attention_reason).toBe(
        "orphan_paid"
      )
      const resolved = await on.post(`/crypto-payments/${id}/resolve`, { note: "refunded by hand" })
      expect(resolved.data.crypto_payment).toMatchObject({
        attention_note: "refunded by hand",
        attention_resolved_at: expect.any(String),
      })
      expect((await on.post(`/crypto-payments/${id}/resolve`, { note: "again" })).status).toBe(400)
    })

    it("asks for a note, for an existing request, and for a login", async () => {
      const { id } = await payOrphan(store)
      expect((await on.post(`/crypto-payments/${id}/resolve`, {})).status).toBe(400)
      expect((await on.post(`/crypto-payments/cpreq_nobody/settle`)).status).toBe(404)
      expect((await store.http.post(`/admin/crypto-payments/${id}/settle`)).status).toBe(401)
    })

    it("announces a case once", async () => {
      const heard: unknown[] = []
      store.container
        .resolve(Modules.EVENT_BUS)
        .subscribe("crypto_payment.attention_required", async ({ data }) => void heard.push(data))
      const { id, cartId } = await payOrphan(store)
      await on.post(`/crypto-payments/${id}/settle`)
      await on.post(`/crypto-payments/${id}/settle`)
      await waitUntil(
        async () => heard,
        ({ length }) => length > 0
      )
      await everythingHeard(store)
      expect(heard).toEqual([
        expect.objectContaining({ id, reason: "orphan_paid", cart_id: cartId, amount: "20.01" }),
      ])
    })
  })
})
