import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"
import { findBrokenSettlements } from "../../.medusa/server/src/modules/crypto-payments/payment-requests/broken-settlements"
import type { CryptoPaymentRequestRow } from "../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import { placePaidOrder, type PaidOrder } from "../support/paid-checkout"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

jest.setTimeout(60_000)

const ALL = 100

describeStore("settled payments, compared with core's tables", (store) => {
  const problems = async () =>
    (await findBrokenSettlements(store.knex, ALL)).broken.map(({ problem, request_id }) => [
      request_id,
      problem,
    ])

  it("are whole after an ordinary payment", async () => {
    await placePaidOrder(store)
    expect(await findBrokenSettlements(store.knex, ALL)).toEqual({ checked: 1, next: null, broken: [] })
  })

  it("are found when a script has cancelled the order, whether or not anybody heard of it", async () => {
    const { id, orderId, collectionId, paymentId } = await placePaidOrder(store)
    await cancelOrderWorkflow(store.container).run({ input: { order_id: orderId } })
    // As when the process ended before the subscriber of `order.canceled` ran.
    await waitUntil(
      async () => (await store.knex("crypto_payment_request").first()) as CryptoPaymentRequestRow,
      ({ attention_reason, lease_until }) => attention_reason === "paid_on_canceled" && lease_until === null
    )
    await store
      .knex("crypto_payment_request")
      .update({ attention_reason: null, state: "captured", settled_at: new Date() })

    expect((await findBrokenSettlements(store.knex, ALL)).broken).toEqual([
      {
        request_id: id,
        order_id: orderId,
        payment_collection_id: collectionId,
        payment_id: paymentId,
        problem: "order_canceled",
      },
    ])
  })

  const BREAKS: [string, (paid: PaidOrder) => Promise<unknown>][] = [
    [
      "order_gone",
      async ({ orderId }) =>
        await store.knex("order").where({ id: orderId }).update({ deleted_at: new Date() }),
    ],
    [
      "unlinked",
      async () =>
        await Promise.all([
          store.knex("order_cart").delete(),
          store.knex("order_payment_collection").delete(),
        ]),
    ],
    ["capture_gone", async () => await store.knex("capture").update({ deleted_at: new Date() })],
    ["not_booked", async () => await store.knex("order_transaction").update({ deleted_at: new Date() })],
    [
      "booked_differently",
      async () =>
        await store.knex.raw(
          `INSERT INTO order_transaction (id, order_id, version, amount, raw_amount, currency_code, reference, reference_id)
       SELECT id || '2', order_id, version, amount, raw_amount, currency_code, reference, reference_id FROM order_transaction`
        ),
    ],
    ["stale_sums", async () => await store.knex("payment_collection").update({ captured_amount: 0 })],
  ]

  it.each(BREAKS)("are found as %s", async (problem, breakIt) => {
    const paid = await placePaidOrder(store)
    await breakIt(paid)
    expect(await problems()).toEqual([[paid.id, problem]])
  })

  it("are read page by page, each once", async () => {
    const ids = []
    for (let i = 0; i < 3; i++) {
      ids.push((await placePaidOrder(store)).id)
    }
    await store.knex("order_transaction").update({ deleted_at: new Date() })
    const first = await findBrokenSettlements(store.knex, 2)
    const second = await findBrokenSettlements(store.knex, 2, first.next)
    expect([first.checked, second.checked, second.next]).toEqual([2, 1, null])
    expect([...first.broken, ...second.broken].map(({ request_id }) => request_id).sort()).toEqual(ids.sort())
  })
})
