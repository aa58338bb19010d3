import { Modules } from "@medusajs/framework/utils"
import { PAID_OK, readEndState, UNPAID } from "../../support/end-state"
import { notificationData, signedBody } from "../../support/notification"
import { nothingIsDue, settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

describeStore("checkout", (store) => {
  const settled = async (cartId: string) =>
    await waitUntil(
      async () => await readEndState(store.knex, cartId),
      ({ ledger }) => ledger.every((row) => row.settled)
    )

  it("places and captures the order when only the notification arrives (scenario 1)", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    expect(await store.gateway.notify(session.data.payment_request_id)).toEqual([200])

    expect(await settled(cartId)).toEqual(PAID_OK)
    const [create] = await store.gateway.calls("POST")
    expect(create?.body).toMatchObject({
      symbol: "USD",
      amount: "20.01",
      payer_email_address: "guest@example.test",
      payer_first_name: "Aisha",
      payer_last_name: "Rahman",
      note: session.id,
    })
  })

  it("reads the gateway once between the notification and the order", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.notify(session.data.payment_request_id)
    await settled(cartId)

    const calls = await store.gateway.calls()
    expect(calls.map(({ method }) => method)).toEqual(["POST", "GET"])
  })

  it("survives four notifications, a concurrent completion and a late UNPAID (scenario 2)", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    const id = session.data.payment_request_id
    await store.gateway.pay(id)
    await store.gateway.hold("read")

    const completing = [shopper.complete(cartId), shopper.complete(cartId)]
    await Promise.all([1, 2, 3, 4].map(async () => await store.gateway.notify(id)))
    await store.gateway.untilHeld(1)
    await store.gateway.release()
    const completions = await Promise.all(completing)
    await settled(cartId)
    await store.gateway.notify(id, { status: "UNPAID" })
    completions.push(await shopper.complete(cartId))
    await nothingIsDue(store)

    const orders = completions.map(({ status, data }) => [status, data.type, data.order?.id])
    expect(orders).toEqual(completions.map(() => [200, "order", orders[0]?.[2]]))
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  it("lets the storefront complete a paid cart that was never notified", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    await store.gateway.pay(session.data.payment_request_id)

    const { status, data } = await shopper.complete(cartId)
    expect([status, data.type]).toEqual([200, "order"])
    expect(await settled(cartId)).toEqual(PAID_OK)
  })

  it("answers an unpaid completion with the cart, and captures nothing", async () => {
    const shopper = store.shopper()
    const { cartId } = await shopper.checkout()

    const { status, data } = await shopper.complete(cartId)
    expect([status, data.type, data.error?.type]).toEqual([200, "cart", "payment_requires_more_error"])
    await nothingIsDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
  })

  it("never pays a second session with a request that another session has claimed", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.knex("crypto_payment_request").update({ paid_session_id: "payses_another" })

    const { data } = await shopper.complete(cartId)
    expect([data.type, data.error?.type]).toEqual(["cart", "payment_authorization_error"])
    expect((await readEndState(store.knex, cartId)).payments).toEqual([])
  })

  it("takes AED as well", async () => {
    const { cartId, session } = await store.shopper().checkout({ currency: "aed" })
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.notify(session.data.payment_request_id)

    const { collection, orders } = await settled(cartId)
    expect([collection.status, collection.captured, orders]).toEqual(["completed", session.data.amount, 1])
    expect(session.data.currency_code).toBe("aed")
  })

  it("keeps working through core's own webhook event", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const id = session.data.payment_request_id
    await store.gateway.pay(id)
    await store.container.resolve(Modules.EVENT_BUS).emit({
      name: "payment.webhook_received",
      data: webhookEvent(signedBody(notificationData(id, { status: "PAID" }))),
    })

    expect(await settled(cartId)).toEqual(PAID_OK)
  })

  it("gives core's webhook event nothing to act on when the hash is forged", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const id = session.data.payment_request_id
    await store.gateway.pay(id)
    const forged = signedBody(notificationData(id, { status: "PAID" }), "another secret")
    const result = await store.container
      .resolve(Modules.PAYMENT)
      .getWebhookActionAndData(webhookEvent(forged))

    expect(result).toEqual({ action: "not_supported" })
    await nothingIsDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
  })

  it("gives core's webhook event no action for a request the ledger does not have", async () => {
    const body = signedBody(notificationData("someone-elses", { status: "PAID" }))
    const result = await store.container.resolve(Modules.PAYMENT).getWebhookActionAndData(webhookEvent(body))
    expect(result).toEqual({ action: "not_supported" })
  })

  it("settles on the schedule when no notification ever comes", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)

    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })
})

/** What core's webhook route puts on the event bus. */
function webhookEvent(body: string): {
  provider: string
  payload: { data: Record<string, unknown>; rawData: Buffer; headers: Record<string, string> }
} {
  return {
    provider: "crypto_default",
    payload: { data: JSON.parse(body) as Record<string, unknown>, rawData: Buffer.from(body), headers: {} },
  }
}
