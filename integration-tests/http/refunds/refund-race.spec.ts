import { Modules } from "@medusajs/framework/utils"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK, readEndState, type EndState } from "../../support/end-state"
import { holdOrder, untilBlocked } from "../../support/held-row"
import { HeldTimers, passDelays } from "../../support/held-timers"
import { ledgerRow, placePaidOrder, type PaidOrder } from "../../support/paid-checkout"
import { Refunds } from "../../support/refunds"
import { payWithoutOrder } from "../../support/refused-orders"
import { settleDue } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { untilTrue } from "../../support/wait-until"

const ROUNDS = [1, 2]

describeStore("a refund that is registered while its payment is settled", (store) => {
  afterEach(() => {
    jest.restoreAllMocks()
  })
  const register = async (id: string, amount: string, reference = "0xabc"): Promise<number> =>
    (
      await store.http.post(
        `/admin/crypto-payments/${id}/refunds`,
        { amount, reference },
        await store.admin()
      )
    ).status

  /** Asks for a settle in every way at once. */
  const settleInEveryWay = async ({ cartId, session }: PreparedCheckout, id: string): Promise<void> => {
    await Promise.all([
      store.gateway.notify(session.data.payment_request_id),
      store.shopper().complete(cartId),
      store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin()),
    ])
  }

  /** Sent back and shipped at the same time: the one end that must never be. */
  const expectConsistent = (state: EndState, isRegistered: boolean): void => {
    const sum = (amounts: string[]): number => amounts.reduce((total, amount) => total + Number(amount), 0)
    expect(state.captures.length).toBeLessThanOrEqual(1)
    expect(sum(state.refunds)).toBeLessThanOrEqual(sum(state.captures))
    if (state.orders > 0) {
      // Placed first: then the refund is in the order's books as well, once.
      expect(state.transactions).toEqual(isRegistered ? ["20.01", "-20.01"] : ["20.01"])
    } else {
      expect(isRegistered).toBe(true)
    }
    expect(state.ledger).toMatchObject([
      isRegistered
        ? { state: "refunded", attention: null }
        : { state: "captured", settled: true, attention: null },
    ])
  }

  it.each(ROUNDS)(
    "never ships an order for money sent back before it was captured (round %i)",
    async (round) => {
      const checkout = await store.shopper().checkout()
      const { id } = await ledgerRow(store, checkout.session.id)
      await store.gateway.pay(checkout.session.data.payment_request_id)
      await store.knex("crypto_payment_request").update({
        state: "paid",
        gateway_status: "PAID",
        paid_at: new Date(),
        gateway_amount: "20.01",
        gateway_currency_symbol: "USD",
      })
      await store.gateway.fail({ endpoint: "read", kind: "slow", delayMs: round * 20 })
      const [status] = await Promise.all([register(id, "20.01"), settleInEveryWay(checkout, id)])
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expectConsistent(await readEndState(store.knex, checkout.cartId), status === 200)
    }
  )

  it.each(ROUNDS)("never ships an order whose refund comes as it becomes possible (round %i)", async () => {
    const checkout = await payWithoutOrder(store)
    const { id } = await ledgerRow(store, checkout.session.id)
    const [status] = await Promise.all([register(id, "20.01"), settleInEveryWay(checkout, id)])
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    expectConsistent(await readEndState(store.knex, checkout.cartId), status === 200)
  })

  it("is never more than was paid, however many are registered at once", async () => {
    const { cartId, id } = await placePaidOrder(store)
    const statuses = await Promise.all(
      ["first", "second", "third", "fourth"].map(async (reference) => await register(id, "8.00", reference))
    )
    for (const reference of ["first", "second", "third", "fourth"]) {
      statuses.push(await register(id, "8.00", reference))
    }
    expect(new Set(statuses)).toEqual(new Set([200, 400]))
    const { refunds, transactions, collection } = await readEndState(store.knex, cartId)
    expect([refunds, transactions, collection.refunded]).toEqual([
      ["8.00", "8.00"],
      ["20.01", "-8.00", "-8.00"],
      "16.00",
    ])
  })

  describe("of one order with two payments", () => {
    const on = new Refunds(store)

    /** 20.01 and 15.01 were paid, each by its own payment. */
    async function twicePaid(): Promise<{ order: PaidOrder; second: string }> {
      const order = await placePaidOrder(store)
      await on.raise(order.orderId)
      const { crypto_payment } = await on.must(`/crypto-payments/orders/${order.orderId}/payment-link`)
      const { id, payment_request_id } = crypto_payment as { id: string; payment_request_id: string }
      await store.gateway.pay(payment_request_id)
      await store
        .knex("crypto_payment_request")
        .where({ id })
        .update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect((await readEndState(store.knex, order.cartId)).transactions).toEqual(["20.01", "15.01"])
      return { order, second: id }
    }

    const booked = async ({ orderId }: PaidOrder): Promise<unknown> => ({
      refunds: (await store.knex("refund").orderBy("amount").pluck("amount")).map(Number),
      transactions: (
        await store.knex("order_transaction").where({ order_id: orderId }).orderBy("amount").pluck("amount")
      ).map(Number),
      registered: await store.knex("crypto_payment_refund").orderBy("amount").select("amount", "state"),
      open_changes: await store.knex("order_change").whereIn("status", ["pending", "requested"]),
      books: await on.orderBooks(orderId),
    })

    it.each(ROUNDS)("is booked whole during a refund of the other payment (round %i)", async () => {
      const { order, second } = await twicePaid()
      const waits = jest.spyOn(store.container.resolve(Modules.LOCKING), "execute")
      const letGo = await holdOrder(store, order.orderId)
      const first = on.register(order.id, "8.00", "0xa")
      await untilBlocked(store)
      let isAnswered = false
      const other = on.register(second, "5.00", "0xb").finally(() => {
        isAnswered = true
      })
      const asked = () => waits.mock.calls.filter(([key]) => key === `crypto:refund:${order.orderId}`)
      await untilTrue(() => isAnswered || asked().length === 2)
      await letGo()
      const both = Promise.all([first, other])
      const answers = (await both).map(({ status, data }) => [status, data.message])
      expect(answers).toEqual([
        [200, undefined],
        [200, undefined],
      ])
      expect(await booked(order)).toMatchObject({
        refunds: [5, 8],
        transactions: [-8, -5, 15.01, 20.01],
        registered: [
          { amount: "5.00", state: "applied" },
          { amount: "8.00", state: "applied" },
        ],
        open_changes: [],
        books: { refunded: 13, pending: 0 },
      })
    })

    it("is refused in our words when the order stays in use, registers nothing, and is registered later", async () => {
      const { order, second } = await twicePaid()
      const ask = async () => await on.register(second, "5.00", "0xb")
      const { status, data } = await store.container
        .resolve(Modules.LOCKING)
        .execute(`crypto:refund:${order.orderId}`, async () => {
          const waits = new HeldTimers("locking/dist/providers/in-memory")
          try {
            return await waits.fireUntilOver(ask())
          } finally {
            waits.end()
          }
        })
      expect([status, data.code]).toEqual([400, "order_in_booking"])
      expect(await store.knex("crypto_payment_refund")).toEqual([])
      expect((await ask()).status).toBe(200)
    })
  })

  it("names the edit that is begun after the order was looked at, and is booked once that has ended", async () => {
    const on = new Refunds(store)
    const { cartId, id, orderId } = await placePaidOrder(store)
    const payments = store.container.resolve(Modules.PAYMENT)
    const refundPayment = payments.refundPayment.bind(payments)
    const spy = jest.spyOn(payments, "refundPayment").mockImplementationOnce(async (...input) => {
      await on.must("/order-edits", { order_id: orderId })
      return await refundPayment(...input)
    })
    const refused = await on.register(id, "8.00")
    spy.mockRestore()
    expect([refused.status, refused.data.code]).toEqual([400, "order_edited"])

    await store.http.delete(`/admin/order-edits/${orderId}`, await store.admin())
    await store.knex("refund").update({ created_at: store.knex.raw("now() - interval '2 minutes'") })
    expect((await on.register(id, "8.00")).status).toBe(200)
    const { refunds, transactions } = await readEndState(store.knex, cartId)
    expect([refunds, transactions]).toEqual([["8.00"], ["20.01", "-8.00"]])
    expect(await on.orderBooks(orderId)).toMatchObject({ refunded: 8, credits: [8], pending: 0 })
  })

  describe("of which a settle holds the row", () => {
    passDelays("crypto-payments/waiting")
    const rows = () => store.knex("crypto_payment_request")
    const hold = async (): Promise<PaidOrder> => {
      const order = await placePaidOrder(store)
      await rows().update({ lease_id: "another", lease_until: store.knex.raw("now() + interval '1 hour'") })
      return order
    }

    it("is registered as soon as the row is free", async () => {
      const { cartId, id } = await hold()
      const { leases } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const lease = leases.lease.bind(leases)
      let tries = 0
      const spy = jest.spyOn(leases, "lease").mockImplementation(async (rowId, settles) => {
        tries += Number(settles === 0)
        if (tries === 3) {
          await rows().update({ lease_id: null, lease_until: null })
        }
        return await lease(rowId, settles)
      })
      expect(await register(id, "8.00")).toBe(200)
      spy.mockRestore()
      expect(tries).toBe(3)
      expect(await readEndState(store.knex, cartId)).toMatchObject({ refunds: ["8.00"] })
    })

    it("is refused when it never becomes free, and nothing is registered", async () => {
      const { cartId, id } = await hold()
      expect(await register(id, "8.00")).toBe(400)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })
  })

  it("says so when its cart stays in use, registers nothing, and is registered later", async () => {
    const { cartId, id } = await placePaidOrder(store)
    const options = await store.admin()
    const ask = async () =>
      await store.http.post(
        `/admin/crypto-payments/${id}/refunds`,
        { amount: "8.00", reference: "0xabc" },
        options
      )
    const { status, data } = await store.container.resolve(Modules.LOCKING).execute(cartId, async () => {
      const waits = new HeldTimers("locking/dist/providers/in-memory")
      try {
        return await waits.fireUntilOver(ask())
      } finally {
        waits.end()
      }
    })
    expect([status, data.code]).toEqual([400, "being_settled"])
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect((await ask()).status).toBe(200)
  })

  it("leaves a settled order as it is when it is refused", async () => {
    const { cartId, id } = await placePaidOrder(store)
    const statuses = await Promise.all([register(id, "20.02"), register(id, "100.00", "0xdef")])
    expect(statuses).toEqual([400, 400])
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })
})
