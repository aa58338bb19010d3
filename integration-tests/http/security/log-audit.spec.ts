import { Modules } from "@medusajs/framework/utils"
import { CapturedOutput } from "../../support/captured-output"
import type { Fault } from "../../support/gateway-control"
import { notificationData, sign, signedBody } from "../../support/notification"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { refuseOrders } from "../../support/refused-orders"
import { readSinceNotified, settleDue } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore, SECRET_KEY } from "../../support/store-under-test"

/** What must never be written anywhere. The name is the one the shopper's address and the notifications carry. */
const EMAIL = "sentinel-payer@example.test"
const SENTINELS = {
  "the secret key": SECRET_KEY,
  "the token": "integration-token",
  "the payer's e-mail": "sentinel-payer",
  "the payer's e-mail in a notification": "guest@example.test",
  "the payer's first name": "Aisha",
  "the payer's last name": "Rahman",
  "a payment link": "/pay/",
  "an authorization header": "Bearer",
}
const APPROVAL_HASH = /[0-9a-f]{64}/i

describeStore("what the store writes to its logs", (store) => {
  let output: CapturedOutput

  beforeEach(() => {
    output = new CapturedOutput(store)
    output.start()
  })
  afterEach(() => {
    output.stop()
  })

  /** @param line proves that the scenario was heard at all */
  const expectNoSecret = (line: string): void => {
    const written = output.text
    expect(written).toContain(line)
    const found = Object.entries(SENTINELS).filter(([, word]) => written.includes(word))
    expect(found.map(([name, word]) => [name, around(written, word)])).toEqual([])
    expect(APPROVAL_HASH.exec(written)?.[0]).toBeUndefined()
  }
  const checkout = async (): Promise<PreparedCheckout> => await store.shopper().checkout({ email: EMAIL })
  const send = async (body: string): Promise<number> =>
    (await fetch(store.webhookUrl, { method: "POST", body, headers: { "content-type": "application/json" } }))
      .status
  const admin = async (path: string, body: unknown = {}): Promise<number> =>
    (await store.http.post(`/admin${path}`, body, await store.admin())).status
  const settleNow = async (): Promise<void> => {
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
  }

  it("names neither secrets nor the payer when a checkout is paid and its order placed", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await checkout()
    await shopper.complete(cartId)
    await payAndNotify(store, session.data.payment_request_id)
    await endOf(store, cartId)
    await shopper.complete(cartId)
    await shopper.statusOf(session.id, cartId)
    expectNoSecret("is settled, order")
    expect(output.text).toContain("/hooks/payment/crypto_default")
  })

  it("names neither when notifications are genuine, forged, garbled or about somebody else's request", async () => {
    const { session } = await checkout()
    const id = session.data.payment_request_id
    const data = notificationData(id, { status: "PAID" })
    const bodies = [
      signedBody(notificationData(id)),
      signedBody(data, "another secret"),
      JSON.stringify({ data: { ...data, payer_first_name: "Aisha2" }, approval_hash: sign(data) }),
      JSON.stringify({ data: { ...data, payment_amount: { payer: "Aisha" } }, approval_hash: sign(data) }),
      signedBody(data).slice(0, -9),
      signedBody(notificationData("another-shops-request", { status: "PAID" })),
      signedBody(notificationData("../Aisha/Rahman")),
    ]
    const statuses = []
    for (const body of bodies) {
      statuses.push(await send(body))
    }
    expect(statuses).toEqual([200, 401, 401, 401, 400, 200, 400])
    // The genuine one is settled after its answer, and that is logged too.
    await readSinceNotified(store, id)
    expectNoSecret("a notification was refused")
  })

  it("names neither when core's own webhook event carries the notification", async () => {
    const { cartId, session } = await checkout()
    await store.gateway.pay(session.data.payment_request_id)
    const body = signedBody(notificationData(session.data.payment_request_id, { status: "PAID" }))
    await store.container.resolve(Modules.EVENT_BUS).emit({
      name: "payment.webhook_received",
      data: {
        provider: "crypto_default",
        payload: { data: JSON.parse(body) as unknown, rawData: Buffer.from(body), headers: {} },
      },
    })
    await endOf(store, cartId)
    expectNoSecret("is settled, order")
  })

  const faults: [string, Pick<Fault, "kind" | "status">][] = [
    ["refuses", { kind: "status", status: 422 }],
    ["is down", { kind: "reset" }],
    ["answers HTML", { kind: "html" }],
    ["is behind a firewall", { kind: "html", status: 403 }],
    ["answers with cut-off JSON", { kind: "cut_json" }],
    ["answers with wrong types", { kind: "wrong_types" }],
    ["redirects", { kind: "redirect" }],
  ]
  it.each(faults)("names neither when the gateway %s", async (_, fault) => {
    const shopper = store.shopper()
    const { cartId, session } = await checkout()
    const other = await shopper.collection(await shopper.cart({ email: EMAIL }))
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.fail({ endpoint: "create", ...fault })
    await store.gateway.fail({ endpoint: "read", ...fault })
    expect((await shopper.openSession(other)).status).toBe(500)
    await store.gateway.notify(session.data.payment_request_id)
    await shopper.complete(cartId)
    await settleNow()
    expectNoSecret("the gateway cannot be read")
    expect(output.text).toContain("got no payment link")
  })

  it("names neither when cases are opened and resolved, refunds registered, and core refuses", async () => {
    const shopper = store.shopper()
    const orphan = await checkout()
    await shopper.post(`/carts/${orphan.cartId}/line-items`, {
      variant_id: store.seeded.variantId,
      quantity: 1,
    })
    const mismatch = await checkout()
    const stuck = await checkout()
    const allowOrders = await refuseOrders(store)
    await store.gateway.pay(mismatch.session.data.payment_request_id, { amount: "1.00" })
    await store.gateway.notify(mismatch.session.data.payment_request_id)
    await payAndNotify(store, orphan.session.data.payment_request_id)
    await payAndNotify(store, stuck.session.data.payment_request_id)
    await Promise.all([orphan, mismatch, stuck].map(async ({ cartId }) => await endOf(store, cartId)))
    await shopper.complete(mismatch.cartId)

    const { id } = await ledgerRow(store, orphan.session.id)
    expect(await admin(`/crypto-payments/${id}/refunds`, { amount: "20.01", reference: "0xabc" })).toBe(200)
    expect(await admin(`/crypto-payments/${id}/refunds`, { amount: "9.00", reference: "0xdef" })).toBe(400)
    const { id: other } = await ledgerRow(store, mismatch.session.id)
    expect(await admin(`/crypto-payments/${other}/resolve`, { note: "refunded by hand" })).toBe(200)
    await allowOrders()
    await settleNow()
    const payment = await store.knex("payment").where({ payment_session_id: stuck.session.id }).first("id")
    const { order_id } = await store
      .knex("order_cart")
      .where({ cart_id: stuck.cartId, deleted_at: null })
      .first("order_id")
    expect(await admin(`/payments/${String(payment.id)}/refund`, { amount: 20.01 })).toBe(400)
    expect(await admin(`/orders/${String(order_id)}/cancel`)).toBe(400)
    await store.compareListsAtNight()
    expectNoSecret("needs attention: orphan_paid")
    expect(output.text).toContain("needs attention: amount_mismatch")
    expect(output.text).toContain("needs attention: paid_without_order")
  })
})

/** The line a word is in, so that a failure says who wrote it. */
function around(text: string, word: string): string {
  const at = text.indexOf(word)
  return text.slice(Math.max(0, at - 300), at + 100)
}
