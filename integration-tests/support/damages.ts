import { deleteDraftOrdersWorkflow } from "@medusajs/medusa/core-flows"
import { diedWhileCompleting } from "./died-while-completing"
import { makePaidDraft } from "./draft-order"
import { inParallel } from "./in-parallel"
import { payOrphan, placePaidOrder, type PaidOrder } from "./paid-checkout"
import { nothingIsDue } from "./settle-due"
import type { StoreUnderTest } from "./store-under-test"

interface Damage {
  name: string
  /** The rules of the audit that notice it. */
  rules: string[]
}

interface PlantedDamage extends Damage {
  /** Ids that belong to this damage and to no other. */
  ids: string[]
}

type Plant = (store: StoreUnderTest, paid: PaidOrder) => Promise<unknown>

const rowOf = ({ knex }: StoreUnderTest, { id }: PaidOrder) => knex("crypto_payment_request").where({ id })
const captureOf = ({ knex }: StoreUnderTest, { paymentId }: PaidOrder) =>
  knex("capture").where({ payment_id: paymentId })
const bookingOf = ({ knex }: StoreUnderTest, { orderId }: PaidOrder) =>
  knex("order_transaction").where({ order_id: orderId })
const money = (amount: string) => JSON.stringify({ value: amount, precision: 20 })

/** Everything of a row but what makes it another one. */
async function copyRow(store: StoreUnderTest, paid: PaidOrder, change: object): Promise<void> {
  const row = await rowOf(store, paid).first<Record<string, unknown>>()
  await store.knex("crypto_payment_request").insert({
    ...row,
    announcements: null,
    id: `${paid.id}copy`,
    ...change,
  })
}

async function register(store: StoreUnderTest, { id }: PaidOrder): Promise<void> {
  const { status } = await store.http.post(
    `/admin/crypto-payments/${id}/refunds`,
    { amount: "20.01", reference: `refund of ${id}` },
    await store.admin()
  )
  if (status !== 200) {
    throw new Error(`the refund was answered with ${String(status)}`)
  }
}

/** What can happen to a paid and settled order behind everybody's back. */
const DAMAGES: [Damage, Plant][] = [
  [
    {
      name: "capture removed",
      rules: ["paid_without_capture", "booking_without_payment", "collection_sums_differ"],
    },
    async (store, paid) => await captureOf(store, paid).delete(),
  ],
  [
    { name: "captured twice", rules: ["captured_twice", "capture_not_booked", "collection_sums_differ"] },
    async (store, paid) => {
      const capture = await captureOf(store, paid).first<Record<string, unknown>>()
      await store
        .knex("capture")
        .insert({ ...capture, raw_amount: money("20.01"), id: `${paid.paymentId}copy` })
    },
  ],
  [
    {
      name: "captured another amount",
      rules: ["captured_otherwise", "capture_not_booked", "collection_sums_differ"],
    },
    async (store, paid) => await captureOf(store, paid).update({ amount: "25", raw_amount: money("25") }),
  ],
  [
    { name: "captured without PAID", rules: ["captured_without_paid"] },
    async (store, paid) => await rowOf(store, paid).update({ paid_at: null, state: "closed" }),
  ],
  [
    { name: "order cancelled by SQL", rules: ["order_canceled"] },
    async ({ knex }, { orderId }) =>
      await knex("order").where({ id: orderId }).update({ status: "canceled", canceled_at: new Date() }),
  ],
  [
    { name: "order deleted by SQL", rules: ["order_deleted"] },
    async ({ knex }, { orderId }) =>
      await knex("order").where({ id: orderId }).update({ deleted_at: new Date() }),
  ],
  [
    { name: "order unlinked by SQL", rules: ["order_missing", "ghost_order"] },
    async ({ knex }, { orderId }) => {
      await knex("order_cart").where({ order_id: orderId }).delete()
      await knex("order")
        .where({ id: orderId })
        .update({ created_at: knex.raw("now() - interval '1 minute'") })
    },
  ],
  [
    { name: "transaction removed", rules: ["capture_not_booked", "order_sums_differ"] },
    async (store, paid) => await bookingOf(store, paid).delete(),
  ],
  [
    { name: "booked twice", rules: ["capture_booked_twice", "order_sums_differ"] },
    async (store, paid) => {
      const booking = await bookingOf(store, paid).first<Record<string, unknown>>()
      await store
        .knex("order_transaction")
        .insert({ ...booking, raw_amount: money("20.01"), id: `${paid.orderId}copy` })
    },
  ],
  [
    { name: "collection in another currency", rules: ["collection_currency_differs"] },
    async ({ knex }, { collectionId }) =>
      await knex("payment_collection").where({ id: collectionId }).update({ currency_code: "aed" }),
  ],
  [
    { name: "collection's sums changed", rules: ["collection_sums_differ"] },
    async ({ knex }, { collectionId }) =>
      await knex("payment_collection")
        .where({ id: collectionId })
        .update({ refunded_amount: "5", raw_refunded_amount: money("5") }),
  ],
  [
    { name: "order's sums changed", rules: ["order_sums_differ"] },
    async ({ knex }, { orderId }) =>
      await knex("order_summary")
        .where({ order_id: orderId })
        .update({ totals: knex.raw(`totals || '{"transaction_total": 7}'`) }),
  ],
  [
    { name: "refund that nobody registered", rules: ["refund_not_registered", "collection_sums_differ"] },
    async ({ knex }, { paymentId }) =>
      await knex("refund").insert({
        id: `${paymentId}refund`,
        payment_id: paymentId,
        amount: "20.01",
        raw_amount: money("20.01"),
        created_at: knex.raw("now() - interval '2 minutes'"),
      }),
  ],
  [
    { name: "refund not finished", rules: ["refund_not_finished"] },
    async ({ knex }, { id }) =>
      await knex("crypto_payment_refund").insert({
        id: `${id}refund`,
        request_id: id,
        amount: "5.00",
        reference: id,
        state: "registered",
        created_at: knex.raw("now() - interval '2 minutes'"),
      }),
  ],
  [
    {
      name: "refund removed from Medusa",
      rules: ["refund_not_finished", "booking_without_payment", "collection_sums_differ"],
    },
    async (store, paid) => {
      await register(store, paid)
      await store.knex("refund").where({ payment_id: paid.paymentId }).delete()
    },
  ],
  [
    { name: "refund's transaction removed", rules: ["refund_not_booked", "order_sums_differ"] },
    async (store, paid) => {
      await register(store, paid)
      await bookingOf(store, paid).where({ reference: "refund" }).delete()
    },
  ],
  [
    { name: "counts as refunded", rules: ["refunded_without_refund"] },
    async (store, paid) => await rowOf(store, paid).update({ state: "refunded" }),
  ],
  [
    { name: "PAID, and nobody looks", rules: ["paid_without_capture"] },
    async (store, paid) => {
      // As if core had never been asked.
      const { knex } = store
      await captureOf(store, paid).delete()
      await bookingOf(store, paid).delete()
      await knex("payment_collection")
        .where({ id: paid.collectionId })
        .update({ captured_amount: null, raw_captured_amount: null })
      await knex("order_summary")
        .where({ order_id: paid.orderId })
        .update({ totals: knex.raw(`totals || '{"transaction_total": 0}'`) })
      await rowOf(store, paid).update({ state: "paid", captured_at: null, settled_at: null })
    },
  ],
  [
    { name: "captured, and nobody finishes it", rules: ["not_settled"] },
    async (store, paid) => await rowOf(store, paid).update({ settled_at: null }),
  ],
  [
    { name: "an open link nobody watches", rules: ["link_not_watched"] },
    async (store, paid) =>
      await copyRow(store, paid, {
        payment_request_id: `${paid.id}open`,
        session_id: `${paid.id}session`,
        session_ids: [`${paid.id}session`],
        paid_session_id: null,
        paid_at: null,
        settled_at: null,
        captured_at: null,
        state: "open",
      }),
  ],
  [
    { name: "one payment in two rows", rules: ["payment_recorded_twice"] },
    async (store, paid) =>
      await copyRow(store, paid, {
        gateway_account: "another",
        session_id: `${paid.id}session`,
        paid_session_id: null,
        attention_reason: "orphan_paid",
      }),
  ],
  [
    { name: "one session paid twice", rules: ["session_paid_twice"] },
    async (store, paid) => {
      await store.knex.raw(`DROP INDEX "IDX_crypto_payment_request_one_live"`)
      await store.knex.raw(`DROP INDEX "IDX_crypto_payment_request_paid_session_id_unique"`)
      await copyRow(store, paid, { payment_request_id: `${paid.id}other` })
    },
  ],
  [
    { name: "order.placed was not heard", rules: ["order_not_announced"] },
    async (store, paid) =>
      await rowOf(store, paid).update({
        order_announced_at: null,
        settled_at: store.knex.raw("now() - interval '6 minutes'"),
      }),
  ],
  [
    { name: "an event was not sent", rules: ["event_not_sent"] },
    async (store, paid) =>
      await rowOf(store, paid).update({ announce_at: store.knex.raw("now() - interval '6 minutes'") }),
  ],
  [
    { name: "one cart, two orders", rules: ["two_orders"] },
    async ({ knex }, { cartId, orderId }) => {
      const order = await knex("order").where({ id: orderId }).first<Record<string, unknown>>()
      const { display_id: _, ...rest } = order
      await knex("order").insert({ ...rest, id: `${orderId}copy` })
      await knex("order_cart").insert({ id: `${orderId}copy`, order_id: `${orderId}copy`, cart_id: cartId })
    },
  ],
  [
    { name: "provider gone", rules: ["provider_missing"] },
    async (store, paid) =>
      await rowOf(store, paid).update({
        provider_id: "pp_crypto_gone",
        settled_at: null,
        attention_reason: "order_underpaid",
      }),
  ],
]

/** Plants each damage on a paid order of its own. */
export async function plantDamages(store: StoreUnderTest): Promise<PlantedDamage[]> {
  const planted: PlantedDamage[] = []
  // The first one alone: core makes the guest's customer with it, and two at once would both try to.
  const orders = [
    await placePaidOrder(store),
    ...(await inParallel(DAMAGES.length - 1, 4, async () => await placePaidOrder(store))),
  ]
  await nothingIsDue(store)
  for (const [index, [damage, plant]] of DAMAGES.entries()) {
    const paid = orders[index] as PaidOrder
    await plant(store, paid)
    planted.push({ ...damage, ids: [paid.id, paid.orderId, `${paid.id}copy`] })
  }
  const died = await diedWhileCompleting(store, { links: [], isCaptured: true })
  await store
    .knex("crypto_payment_request")
    .where({ id: died.id })
    .update({ next_check_at: null, attention_reason: "paid_without_order" })
  planted.push({ name: "order begun and not placed", rules: ["ghost_order"], ids: [died.id, died.orderId] })
  const draft = await makePaidDraft(store)
  await deleteDraftOrdersWorkflow(store.container).run({ input: { order_ids: [draft.orderId] } })
  planted.push({ name: "draft order deleted", rules: ["order_deleted"], ids: [draft.id, draft.orderId] })
  const orphan = await payOrphan(store)
  await store.knex("crypto_payment_request").where({ id: orphan.id }).update({ attention_reason: null })
  planted.push({ name: "PAID without a case", rules: ["paid_without_capture"], ids: [orphan.id] })
  return planted
}
