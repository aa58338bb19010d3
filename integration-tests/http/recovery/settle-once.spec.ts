import { Modules } from "@medusajs/framework/utils"
import type { IPaymentModuleService } from "@medusajs/framework/types"
import type { LeasedRow } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/leases"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { neverGiveUpCalls } from "../../support/held-timers"
import { PAID_OK, readEndState, type EndState } from "../../support/end-state"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import type { SessionData } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { readTimeline } from "../../support/timeline"
import { untilAnswered, waitUntil } from "../../support/wait-until"

interface TwoSessions {
  cartId: string
  older: SessionData
  newer: SessionData
}

describeStore("one payment is settled once", (store) => {
  neverGiveUpCalls()

  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
  const settle = async (id: string): Promise<{ status: number }> =>
    await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())

  it("when four settles of its row begin at the same time", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.hold("read")
    const { id } = await ledgerRow(store, session.id)
    const found = jest.spyOn(ledger().requests, "require")
    const lease = jest.spyOn(ledger().leases, "lease")
    const settling = [1, 2, 3, 4].map(async () => await settle(id))
    // One of them reads, and all others have found the row held.
    await store.gateway.untilHeld(1)
    await untilAnswered(found, 4)
    await untilAnswered(lease, 4)
    jest.restoreAllMocks()
    await store.gateway.release()
    expect((await Promise.all(settling)).map(({ status }) => status)).toEqual([200, 200, 200, 200])

    await endOf(store, cartId)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await store.gateway.calls("GET")).toHaveLength(1)
    const types = (await readTimeline(store, id)).map(({ type }) => type)
    expect(types).toEqual(["created", "paid", "checked", "captured", "settled"])
  })

  describe("when its cart was left with two live sessions, each with its link", () => {
    /** As after an instance died between creating a session and deleting the one before. */
    async function twoSessions(): Promise<TwoSessions> {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      await shopper.post(`/carts/${checkout.cartId}`, { email: "second@example.test" })
      const created = await store.container
        .resolve<IPaymentModuleService>(Modules.PAYMENT)
        .createPaymentSession(checkout.collectionId, {
          provider_id: "pp_crypto_default",
          currency_code: "usd",
          amount: 20.01,
          data: {},
        })
      return {
        cartId: checkout.cartId,
        older: checkout.session.data,
        newer: created.data as unknown as SessionData,
      }
    }

    const settled = async (cartId: string): Promise<EndState> => {
      await waitUntil(
        async () => await readEndState(store.knex, cartId),
        ({ ledger }) => ledger.some((row) => row.settled)
      )
      await store.untilQuiet()
      return await readEndState(store.knex, cartId)
    }
    const paidOnce = {
      collection: { status: "completed", captured: "20.01" },
      captures: ["20.01"],
      refunds: [],
      orders: 1,
      transactions: ["20.01"],
    }
    const duplicate = { state: "paid", settled: false, attention: "duplicate_payment" }
    const captured = { state: "captured", settled: true, attention: null }
    /**
     * Core takes one of the two sessions first, in the order in which Postgres happens to store them. When it is the one
     * that is not paid, its session is deleted; that is so in one of the next two tests.
     */
    const notPaid = {
      state: expect.stringMatching(/^(?:superseded|open)$/) as string,
      settled: false,
      attention: null,
    }

    it("and the payer pays the older", async () => {
      const { cartId, older } = await twoSessions()
      await payAndNotify(store, older.payment_request_id)
      expect(await settled(cartId)).toMatchObject({ ...paidOnce, ledger: [captured, notPaid] })
    })

    it("and the payer pays the newer", async () => {
      const { cartId, newer } = await twoSessions()
      await payAndNotify(store, newer.payment_request_id)
      expect(await settled(cartId)).toMatchObject({
        ...paidOnce,
        ledger: [notPaid, captured],
      })
    })

    it("and both are paid: the second has a case as a duplicate", async () => {
      const { cartId, older, newer } = await twoSessions()
      await store.gateway.pay(older.payment_request_id)
      await payAndNotify(store, newer.payment_request_id)
      await settled(cartId)
      await store.gateway.notify(older.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({ ...paidOnce, ledger: [duplicate, captured] })
    })

    it("and both are notified at the same time: one pays, the other is a duplicate", async () => {
      const { cartId, older, newer } = await twoSessions()
      const ids = [older.payment_request_id, newer.payment_request_id]
      await Promise.all(ids.map(async (id) => await store.gateway.pay(id)))
      await Promise.all(ids.map(async (id) => await store.gateway.notify(id)))
      const state = await endOf(store, cartId)
      expect(state).toMatchObject(paidOnce)
      expect(state.ledger).toEqual(expect.arrayContaining([captured, duplicate]))
    })

    it("and the process died that was about to capture the older: it is captured next, the newer is a duplicate", async () => {
      const { cartId, older, newer } = await twoSessions()
      await store.gateway.pay(older.payment_request_id)
      const { gateways, requests } = ledger()
      const row = await gateways.check(await ledgerRow(store, older.session_id))
      expect(await requests.claimSession(row as LeasedRow, row)).toBe(true)
      await payAndNotify(store, newer.payment_request_id)
      await store.untilQuiet()
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])

      await store
        .knex("crypto_payment_request")
        .where({ id: row.id })
        .update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      expect(await endOf(store, cartId)).toMatchObject({ ...paidOnce, ledger: [captured, duplicate] })
    })
  })
})
