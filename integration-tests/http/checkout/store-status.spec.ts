import type { IEventBusModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { AxiosResponse } from "axios"
import { ledgerRow, payOrphan, placePaidOrder } from "../../support/paid-checkout"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("GET /store/crypto-payments/:session_id", (store) => {
  const status = async (
    sessionId: string,
    cartId?: string,
    headers: Record<string, string> = {}
  ): Promise<AxiosResponse> =>
    await store.http.get(`/store/crypto-payments/${sessionId}`, {
      headers: {
        "x-publishable-api-key": store.seeded.publishableKey,
        ...(cartId === undefined ? {} : { "x-cart-id": cartId }),
        ...headers,
      },
    })
  const pay = async (paymentRequestId: string): Promise<void> => {
    await store.gateway.pay(paymentRequestId)
    await store.gateway.notify(paymentRequestId)
  }
  const settled = async (sessionId: string, cartId: string): Promise<AxiosResponse> =>
    await waitUntil(
      async () => await status(sessionId, cartId),
      ({ headers }) => headers["retry-after"] === undefined
    )
  const reads = async (): Promise<number> => (await store.gateway.calls("GET")).length
  const checkedAt = async (moment: string): Promise<void> => {
    await store
      .knex("crypto_payment_request")
      .update({ last_checked_at: store.knex.raw(moment), check_requested_at: null })
  }
  /** As if the last check were long ago. */
  const age = async (): Promise<void> => {
    await store.knex("crypto_payment_request").update({
      created_at: store.knex.raw("created_at - interval '1 minute'"),
      last_checked_at: store.knex.raw("last_checked_at - interval '1 minute'"),
      check_requested_at: null,
    })
  }

  it("gives the link to the cart's shopper while nothing is paid", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const { data, headers } = await status(session.id, cartId)
    expect(data).toEqual({ status: "awaiting_payment", payment_link: session.data.payment_link })
    expect([headers["retry-after"], headers["cache-control"]]).toEqual(["2", "no-store"])
  })

  it("knows a session by what URLSearchParams reads where the gateway appended a parameter of its own", async () => {
    const { session } = await store.shopper().checkout()
    for (const appended of ["%3Fpayment_id%3D1", "%26payment_id%3D1", "&payment_id=1"]) {
      expect((await status(`${session.id}${appended}`)).data).toEqual({ status: "awaiting_payment" })
    }
    expect((await status(`${session.id}%20`)).status).toBe(404)
  })

  it("lets a shop on another origin send the cart's id in the header", async () => {
    const { status: code, headers } = await store.http.options("/store/crypto-payments/payses_1", {
      headers: {
        origin: "http://localhost:8000",
        "access-control-request-method": "GET",
        "access-control-request-headers": "x-cart-id,x-publishable-api-key",
      },
    })
    expect([code, headers["access-control-allow-origin"], headers["access-control-allow-headers"]]).toEqual([
      204,
      "http://localhost:8000",
      "x-cart-id,x-publishable-api-key",
    ])
  })

  it("answers, and has the gateway asked, while the event bus does not answer", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await age()
    const before = await reads()
    const bus: IEventBusModuleService = store.container.resolve(Modules.EVENT_BUS)
    const emit = jest.spyOn(bus, "emit").mockReturnValue(new Promise(() => undefined))
    const { status: code } = await status(session.id, cartId)
    await waitUntil(reads, (count) => count === before + 1)
    const asked = emit.mock.calls.length
    emit.mockRestore()
    expect([code, asked]).toEqual([200, 0])
    await nothingIsDue(store)
  })

  it("shows Retry-After to a shop on another origin", async () => {
    const { session } = await store.shopper().checkout()
    const { headers } = await status(session.id)
    expect(headers["access-control-expose-headers"]).toContain("Retry-After")
  })

  it("gives the order to the cart's shopper once it is placed", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await pay(session.data.payment_request_id)
    const { data } = await settled(session.id, cartId)
    const { order_id } = await store.knex("order_cart").where({ cart_id: cartId }).first("order_id")
    expect(data).toEqual({ status: "paid", order_id })
  })

  it.each([
    ["without a cart id", undefined],
    ["with another cart's id", "cart_01ANOTHER"],
  ])("gives neither link nor order %s", async (_, cartId) => {
    const { cartId: own, session } = await store.shopper().checkout()
    expect((await status(session.id, cartId)).data).toEqual({ status: "awaiting_payment" })
    await pay(session.data.payment_request_id)
    await settled(session.id, own)
    expect((await status(session.id, cartId)).data).toEqual({ status: "paid" })
  })

  it("gives them to the logged-in customer of the cart, and to no other customer", async () => {
    const { session, cartId } = await store.shopper().checkout()
    const [owner, other] = [await customer("owner@example.test"), await customer("other@example.test")]
    await store.knex("cart").where({ id: cartId }).update({ customer_id: owner.id })
    expect((await status(session.id, undefined, owner.headers)).data).toEqual({
      status: "awaiting_payment",
      payment_link: session.data.payment_link,
    })
    expect((await status(session.id, undefined, other.headers)).data).toEqual({ status: "awaiting_payment" })
  })

  it("answers 404 to an unknown session, and 400 to a text that is none and without a publishable key", async () => {
    const unknown = await status("payses_01UNKNOWN")
    // A proxy may store a 404 as well.
    expect([unknown.status, unknown.headers["cache-control"]]).toEqual([404, "no-store"])
    expect((await status("%00")).status).toBe(400)
    const { session } = await store.shopper().checkout()
    expect((await store.http.get(`/store/crypto-payments/${session.id}`)).status).toBe(400)
  })

  it("has the gateway asked when the payer returns, once however often the page asks", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    const before = await reads()
    await Promise.all(Array.from({ length: 10 }, async () => await status(session.id, cartId)))
    const { data } = await settled(session.id, cartId)
    expect(data.status).toBe("paid")
    await nothingIsDue(store)
    expect((await reads()) - before).toBe(1)
  })

  it("asks the gateway once while the page of an unpaid payment polls, and again after a while", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const before = await reads()
    for (const readsSoFar of [1, 2]) {
      await status(session.id, cartId)
      await waitUntil(reads, (count) => count - before === readsSoFar)
      await nothingIsDue(store)
      // Just read, however long the polls take.
      await checkedAt("now() + interval '1 hour'")
      for (let poll = 0; poll < 5; poll++) {
        await status(session.id, cartId)
      }
      await nothingIsDue(store)
      expect((await reads()) - before).toBe(readsSoFar)
      await checkedAt("now() - interval '1 minute'")
    }
  })

  it("says processing when the gateway says PENDING, and gives no link to pay again", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.setStatus(session.data.payment_request_id, "PENDING")
    await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
    await settleDue(store)
    expect((await status(session.id, cartId)).data).toEqual({ status: "processing" })
  })

  it("says failed of a link the cart has left, for good once the gateway was asked", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    await shopper.post(`/carts/${cartId}/line-items`, { variant_id: store.seeded.variantId, quantity: 1 })
    await age()
    const first = await status(session.id, cartId)
    expect([first.data, first.headers["retry-after"]]).toEqual([{ status: "failed" }, "2"])
    expect((await settled(session.id, cartId)).data).toEqual({ status: "failed" })
  })

  it("says that the shop is checking when an old link was paid", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    await shopper.post(`/carts/${cartId}/line-items`, { variant_id: store.seeded.variantId, quantity: 1 })
    await store.gateway.pay(session.data.payment_request_id)
    await age()
    const { data } = await waitUntil(
      async () => await status(session.id, cartId),
      (answer) => answer.data.review === true
    )
    expect(data).toEqual({ status: "processing", review: true })
  })

  describe("long after", () => {
    const refund = async (id: string): Promise<void> => {
      const body = { amount: "20.01", reference: "0xabc" }
      const answer = await store.http.post(`/admin/crypto-payments/${id}/refunds`, body, await store.admin())
      expect(answer.status).toBeLessThan(300)
    }

    it("says that the money was sent back, and asks nobody to ask again", async () => {
      const { cartId, id, session } = await placePaidOrder(store)
      await refund(id)
      const { data, headers } = await status(session.id, cartId)
      expect([data, headers["retry-after"]]).toEqual([{ status: "failed", refunded: true }, undefined])
    })

    it("says nothing of a check any more once the money of an old link was sent back", async () => {
      const { cartId, id, session } = await payOrphan(store)
      await refund(id)
      expect((await status(session.id, cartId)).data).toEqual({ status: "failed", refunded: true })
    })

    it("goes on saying paid when a part of the money was sent back", async () => {
      const { cartId, id, orderId, session } = await placePaidOrder(store)
      const body = { amount: "5.00", reference: "0xabc" }
      await store.http.post(`/admin/crypto-payments/${id}/refunds`, body, await store.admin())
      expect((await status(session.id, cartId)).data).toEqual({ status: "paid", order_id: orderId })
    })

    it("says failed of a closed link, gives no link, and has the last word once the schedule has asked the gateway", async () => {
      const { cartId, session } = await closed()
      const before = await reads()
      const first = await status(session.id, cartId)
      expect([first.data, first.headers["retry-after"]]).toEqual([{ status: "failed" }, "2"])
      await store.runSchedule()
      expect((await reads()) - before).toBe(1)
      expect((await settled(session.id, cartId)).data).toEqual({ status: "failed" })
    })

    it("finds the money that came on a closed link", async () => {
      const { cartId, session } = await closed()
      await store.gateway.pay(session.data.payment_request_id)
      await status(session.id, cartId)
      await store.runSchedule()
      expect((await status(session.id, cartId)).data).toEqual({ status: "processing", review: true })
    })

    /** A link that a change of the cart has replaced, and that nobody has watched for days. */
    async function closed(): Promise<PreparedCheckout> {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      await shopper.post(`/carts/${checkout.cartId}/line-items`, {
        variant_id: store.seeded.variantId,
        quantity: 1,
      })
      await store.knex("crypto_payment_request").update({ state: "closed", next_check_at: null })
      await age()
      expect((await ledgerRow(store, checkout.session.id)).state).toBe("closed")
      return checkout
    }
  })

  it("tells of the former session's link when it was bound to a new one", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    await shopper.openSession(collectionId)
    expect((await status(session.id, cartId)).data).toEqual({
      status: "awaiting_payment",
      payment_link: session.data.payment_link,
    })
  })

  async function customer(email: string): Promise<{ id: string; headers: Record<string, string> }> {
    const key = { headers: { "x-publishable-api-key": store.seeded.publishableKey } }
    const registered = await store.http.post("/auth/customer/emailpass/register", { email, password: "pass" })
    const authorization = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
    const created = await store.http.post(
      "/store/customers",
      { email },
      { headers: { ...key.headers, ...authorization(registered.data.token) } }
    )
    const login = await store.http.post("/auth/customer/emailpass", { email, password: "pass" })
    return { id: created.data.customer.id, headers: authorization(login.data.token) }
  }
})
