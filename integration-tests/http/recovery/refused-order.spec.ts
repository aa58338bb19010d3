import { Modules } from "@medusajs/framework/utils"
import type { LeasedRow } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/leases"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK, readEndState } from "../../support/end-state"
import { HeldTimers } from "../../support/held-timers"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { payWithoutOrder, refuseOrders } from "../../support/refused-orders"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { untilAnswered, untilTrue, waitUntil } from "../../support/wait-until"

describeStore("paid, and the order cannot be placed", (store) => {
  /** @returns what sends that money back */
  async function payAnotherWay(collectionId: string): Promise<() => Promise<unknown>> {
    const payments = store.container.resolve(Modules.PAYMENT)
    const other = await payments.createPaymentSession(collectionId, {
      provider_id: "pp_system_default",
      currency_code: "usd",
      amount: 20.01,
      data: {},
    })
    const payment_id = (await payments.authorizePaymentSession(other.id, {}))?.id ?? ""
    await payments.capturePayment({ payment_id })
    return async () => await payments.refundPayment({ payment_id, amount: 20.01 })
  }

  it("is captured once, appears in the attention list, and completes when core accepts the cart again", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const allowOrders = await refuseOrders(store)
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toEqual({
      ...PAID_OK,
      orders: 0,
      transactions: [],
      ledger: [{ state: "captured", settled: false, attention: "paid_without_order" }],
    })

    await allowOrders()
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  describe("at first, and then can be", () => {
    const completions = (): jest.SpyInstance<Promise<unknown>, unknown[]> =>
      jest.spyOn(store.container.resolve(Modules.WORKFLOW_ENGINE), "run") as never
    const makeDue = async (): Promise<void> => {
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    }
    let timers: HeldTimers
    beforeEach(() => {
      timers = new HeldTimers("providers/in-memory")
    })
    afterEach(async () => {
      timers.end()
      jest.restoreAllMocks()
      await store.container.resolve(Modules.LOCKING).releaseAll({ ownerId: "another" })
    })

    it("gets its order while no other cart gets one, when several are due at the same moment", async () => {
      const checkouts = [
        await payWithoutOrder(store),
        await payWithoutOrder(store),
        await payWithoutOrder(store),
      ]
      const engine = store.container.resolve(Modules.WORKFLOW_ENGINE)
      const run = engine.run.bind(engine)
      let [underWay, most] = [0, 0]
      completions().mockImplementation(async (...workflow) => {
        underWay += 1
        most = Math.max(most, underWay)
        try {
          return await run(...(workflow as Parameters<typeof run>))
        } finally {
          underWay -= 1
        }
      })
      await makeDue()
      await settleDue(store)

      const ends = await Promise.all(
        checkouts.map(async ({ cartId }) => await readEndState(store.knex, cartId))
      )
      expect(ends).toEqual([PAID_OK, PAID_OK, PAID_OK])
      expect(most).toBe(1)
    })

    it("is not tried in core while another order is being placed, and gets its order soon after", async () => {
      const { cartId, session } = await payWithoutOrder(store)
      const { id } = await ledgerRow(store, session.id)
      const twoHoursAgo = store.knex.raw("now() - interval '2 hours'")
      await store.knex("crypto_payment_request").update({ paid_at: twoHoursAgo })
      const locking = store.container.resolve(Modules.LOCKING)
      await locking.acquire("crypto:place-order", { ownerId: "another" })
      const runs = completions()
      await makeDue()
      await timers.fireUntilOver(settleDue(store), 10_000)
      expect(runs).not.toHaveBeenCalled()
      const { rows } = await store.knex.raw(
        "SELECT attention_reason, check_trigger, next_check_at <= now() + interval '70 seconds' AS is_soon FROM crypto_payment_request WHERE id = ?",
        [id]
      )
      expect(rows).toEqual([{ attention_reason: "paid_without_order", check_trigger: null, is_soon: true }])

      await locking.release("crypto:place-order", { ownerId: "another" })
      await makeDue()
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("becomes no order when an admin user closes the case while another order is being placed", async () => {
      const { cartId, session } = await payWithoutOrder(store)
      const { id } = await ledgerRow(store, session.id)
      const locking = store.container.resolve(Modules.LOCKING)
      await locking.acquire("crypto:place-order", { ownerId: "another" })
      const waits = jest.spyOn(locking, "execute")
      const runs = completions()
      await makeDue()
      const settled = settleDue(store)
      await untilTrue(() => waits.mock.calls.some(([key]) => key === "crypto:place-order"))
      const closed = { note: "sent back by hand" }
      const path = `/admin/crypto-payments/${id}/resolve`
      expect((await store.http.post(path, closed, await store.admin())).status).toBe(200)
      await locking.release("crypto:place-order", { ownerId: "another" })
      await settled
      expect(runs).not.toHaveBeenCalled()
      expect(await readEndState(store.knex, cartId)).toMatchObject({ captures: ["20.01"], orders: 0 })
    })

    it("is not tried for an admin user while another order is being placed, and they are told to try again", async () => {
      const { cartId, session } = await payWithoutOrder(store)
      const { id } = await ledgerRow(store, session.id)
      const ask = async (action: string, body = {}) =>
        await store.http.post(`/admin/crypto-payments/${id}/${action}`, body, await store.admin())
      expect((await ask("resolve", { note: "sent back by hand" })).status).toBe(200)
      const locking = store.container.resolve(Modules.LOCKING)
      await locking.acquire("crypto:place-order", { ownerId: "another" })
      const runs = completions()
      const { status, data } = await timers.fireUntilOver(ask("settle"), 10_000)
      expect([status, data.code]).toEqual([400, "being_settled"])
      expect(runs).not.toHaveBeenCalled()

      await locking.release("crypto:place-order", { ownerId: "another" })
      expect((await ask("settle")).status).toBe(200)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })
  })

  it("becomes no order by itself once an admin user has closed the case, and one when they ask for it", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    const allowOrders = await refuseOrders(store)
    await payAndNotify(store, session.data.payment_request_id)
    const before = await endOf(store, cartId)
    const { id } = await ledgerRow(store, session.id)
    const ask = async (action: string, body = {}): Promise<number> =>
      (await store.http.post(`/admin/crypto-payments/${id}/${action}`, body, await store.admin())).status
    expect(await ask("resolve", { note: "shipped by hand" })).toBe(200)
    await allowOrders()
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    const completed = await shopper.complete(cartId)
    expect([completed.status, completed.data.message]).toEqual([
      400,
      expect.stringContaining("is reviewing the payment"),
    ])
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      captures: before.captures,
      orders: 0,
      transactions: [],
    })

    // Whatever holds the row at this moment, as the refused completion until its answer is closed.
    const { leases } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    const held = await waitUntil(
      async () => await leases.lease(id, 0),
      (lease) => lease !== undefined
    )
    const tries = jest.spyOn(leases, "lease")
    const asked = ask("settle")
    await untilAnswered(tries, 1)
    tries.mockRestore()
    await leases.release(held as LeasedRow)
    expect(await asked).toBe(200)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("is not captured by a settle that has begun before an admin user closes the case, and is when they ask for it", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const { cases, gateways, requests } =
      store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    await store.gateway.pay(session.data.payment_request_id)
    const { id } = await gateways.check(await ledgerRow(store, session.id))
    const change = async (columns: Record<string, unknown>): Promise<void> => {
      await store.knex("crypto_payment_request").update(columns)
    }
    await change({ paid_at: store.knex.raw("paid_at - interval '3 minutes'") })
    await cases.open(id, "provider_missing", {})
    const ask = async (action: string, body = {}): Promise<number> =>
      (await store.http.post(`/admin/crypto-payments/${id}/${action}`, body, await store.admin())).status
    const claim = requests.claimSession.bind(requests)
    const claims = jest.spyOn(requests, "claimSession").mockImplementation(async (...args) => {
      claims.mockRestore()
      expect(await ask("resolve", { note: "sent back by hand" })).toBe(200)
      return await claim(...args)
    })
    for (const _ of ["the settle that has begun", "the next one"]) {
      await change({ next_check_at: new Date(0) })
      await settleDue(store)
    }
    expect(await readEndState(store.knex, cartId)).toMatchObject({ captures: [], orders: 0 })
    expect(await ledgerRow(store, session.id)).toMatchObject({
      attention_reason: "provider_missing",
      attention_note: "sent back by hand",
    })
    expect(await ask("settle")).toBe(200)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("is told as paid twice when another way to pay was captured for the cart meanwhile", async () => {
    const { cartId, collectionId, session } = await store.shopper().checkout()
    const allowOrders = await refuseOrders(store)
    await payAndNotify(store, session.data.payment_request_id)
    await endOf(store, cartId)
    await payAnotherWay(collectionId)
    await allowOrders()
    // Now and then core places the order and does not book our capture: a settle does, once core has had a minute for it.
    const captured_at = store.knex.raw("now() - interval '2 minutes'")
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0), captured_at })
    await settleDue(store)

    expect(await readEndState(store.knex, cartId)).toMatchObject({
      captures: ["20.01", "20.01"],
      orders: 1,
      ledger: [{ state: "captured", settled: true, attention: "duplicate_payment" }],
    })
  })

  it("becomes no order by the shopper's own completion after the case of a second payment was closed", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const refund = await payAnotherWay(collectionId)
    await payAndNotify(store, session.data.payment_request_id)
    await endOf(store, cartId)
    const { id, attention_reason } = await ledgerRow(store, session.id)
    expect(attention_reason).toBe("duplicate_payment")
    const note = { note: "sent back by hand" }
    const resolved = await store.http.post(`/admin/crypto-payments/${id}/resolve`, note, await store.admin())
    expect(resolved.status).toBe(200)

    await refund()
    const completed = await shopper.complete(cartId)
    expect([completed.status, completed.data.message]).toEqual([
      400,
      expect.stringContaining("is reviewing the payment"),
    ])
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      captures: ["20.01"],
      orders: 0,
      ledger: [{ state: "paid", settled: false }],
    })
  })

  it("does not capture again when the storefront completes meanwhile", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    const allowOrders = await refuseOrders(store)
    await store.gateway.pay(session.data.payment_request_id)
    const failed = await shopper.complete(cartId)
    expect(failed.data.type).not.toBe("order")

    await allowOrders()
    const completed = await shopper.complete(cartId)
    expect(completed.data.type).toBe("order")
    const state = await waitUntil(
      async () => await readEndState(store.knex, cartId),
      ({ ledger }) => ledger[0]?.settled === true
    )
    expect(state).toEqual(PAID_OK)
  })
})
