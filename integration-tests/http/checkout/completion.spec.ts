import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { ILockingModule } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { PAID_OK, readEndState } from "../../support/end-state"
import { neverGiveUpCalls, passDelays } from "../../support/held-timers"
import { endOf, ledgerRow } from "../../support/paid-checkout"
import { refuseOrders } from "../../support/refused-orders"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

/** Waits until the server notices that the sender of this request is gone. */
async function disconnected(path: string): Promise<void> {
  const started = "http.server.request.start"
  await new Promise<void>((resolve) => {
    const listen = (message: unknown): void => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
      if (request.url === path) {
        unsubscribe(started, listen)
        response.once("close", resolve)
      }
    }
    subscribe(started, listen)
  })
}

describeStore("the completion of a cart by a storefront", (store) => {
  neverGiveUpCalls()

  const lease = async (sessionId: string): Promise<string | null> =>
    (await ledgerRow(store, sessionId)).lease_id

  /** As a settle of another process holds it. */
  async function holdRow(): Promise<void> {
    await store.knex("crypto_payment_request").update({
      lease_id: "other",
      lease_until: store.knex.raw("now() + interval '2 minutes'"),
    })
  }

  async function giveBack(): Promise<void> {
    await store.knex("crypto_payment_request").update({ lease_id: null, lease_until: null })
  }

  it("by the store's own code gets its order from the settle that it causes", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await expect(completeCartWorkflow(store.container).run({ input: { id: cartId } })).rejects.toMatchObject({
      type: "payment_requires_more_error",
    })
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })

  it("says why a paid cart becomes no order, and the money has a case", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const allowOrders = await refuseOrders(store)
    await store.gateway.pay(session.data.payment_request_id)
    expect((await store.shopper().complete(cartId)).data).toMatchObject({ type: "invalid_data" })
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      captures: ["20.01"],
      orders: 0,
      ledger: [{ attention: "paid_without_order" }],
    })

    await allowOrders()
    expect((await store.shopper().complete(cartId)).data.type).toBe("order")
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })

  it("holds the row of its payment until it is settled", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.hold("read")
    const completing = store.shopper().complete(cartId)
    await store.gateway.untilHeld(1)
    expect(await lease(session.id)).not.toBeNull()
    expect((await readEndState(store.knex, cartId)).captures).toEqual([])
    await store.gateway.release()

    expect((await completing).data.type).toBe("order")
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
    await waitUntil(
      async () => await lease(session.id),
      (id) => id === null
    )
  })

  it("settles the payment to the end when the browser disconnects", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.hold("read")
    const browser = new AbortController()
    const noticed = disconnected(`/store/carts/${cartId}/complete`)
    const completing = store.http
      .post(
        `/store/carts/${cartId}/complete`,
        {},
        {
          headers: { "x-publishable-api-key": store.seeded.publishableKey },
          signal: browser.signal,
        }
      )
      .catch((error: Error) => error.name)
    await store.gateway.untilHeld(1)
    const held = await lease(session.id)
    browser.abort()
    expect(await completing).toBe("CanceledError")
    await noticed
    // Many other requests are answered meanwhile: the row would have been given back.
    await store.shopper().checkout()
    expect(held).not.toBeNull()
    expect(await lease(session.id)).toBe(held)
    expect((await readEndState(store.knex, cartId)).captures).toEqual([])
    await store.gateway.release()

    expect(await endOf(store, cartId)).toEqual(PAID_OK)
    await waitUntil(
      async () => await lease(session.id),
      (id) => id === null
    )
  })

  describe("while the locks are gone, as when Redis has lost its data", () => {
    beforeEach(() => {
      const locking = store.container.resolve<ILockingModule>(Modules.LOCKING)
      jest.spyOn(locking, "acquire").mockResolvedValue(undefined)
      jest.spyOn(locking, "execute").mockImplementation(async (_key, work) => await work())
    })
    afterEach(() => {
      jest.restoreAllMocks()
    })

    it("places one order and books once, with a second completion in flight", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      const shoppers = [store.shopper(), store.shopper()]
      const answers = await Promise.all(shoppers.map(async (shopper) => await shopper.complete(cartId)))
      expect(answers.map(({ data }) => data.type)).toEqual(["order", "order"])
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
      expect(await store.knex("order").count()).toEqual([{ count: "1" }])
    })

    it("places one order and books once, with a settle in flight", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      const [answer] = await Promise.all([
        store.shopper().complete(cartId),
        store.gateway.notify(session.data.payment_request_id),
      ])
      expect(answer.data.type).toBe("order")
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
      expect(await store.knex("order").count()).toEqual([{ count: "1" }])
    })
  })

  it("waits for the settle that holds the row", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await holdRow()
    let isAnswered = false
    const completing = store.shopper().complete(cartId)
    void completing.then(() => (isAnswered = true))
    // A second store's request is answered meanwhile: this one would have been as well.
    await store.shopper().checkout()
    expect([isAnswered, (await readEndState(store.knex, cartId)).captures]).toEqual([false, []])

    await giveBack()
    expect((await completing).data.type).toBe("order")
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })

  describe("when the settle does not end", () => {
    passDelays("crypto-payments/waiting")

    it("is refused with 409, and nothing is placed", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      await holdRow()
      expect((await store.shopper().complete(cartId)).status).toBe(409)
      expect(await lease(session.id)).toBe("other")
      expect(await store.knex("order").count()).toEqual([{ count: "0" }])
      await giveBack()
      expect((await store.shopper().complete(cartId)).data.type).toBe("order")
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })
  })
})
