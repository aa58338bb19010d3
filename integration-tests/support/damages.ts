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

/** Another order with the same content, without a link to anything. */
async function copyOrder({ knex }: StoreUnderTest, orderId: string): Promise<string> {
  const { display_id: _, ...order } = await knex("order")
    .where({ id: orderId })
    .first<Record<string, unknown>>()
  const id = `${orderId}copy`
  await knex("order").insert({ ...order, id })
  return id
}

async function linkCollection({ knex }: StoreUnderTest, orderId: string, collectionId: string) {
  await knex("order_payment_collection").insert({
    id: `${orderId}link`,
    order_id: orderId,
    payment_collection_id: collectionId,
  })
}

/** What core's summary shows when the order costs so much less than was paid. */
async function showExcess({ knex }: StoreUnderTest, { orderId }: PaidOrder, excess: string): Promise<void> {
  await knex("order_summary")
    .where({ order_id: orderId })
    .update({ totals: knex.raw(`totals || '{"pending_difference": -${excess}}'`) })
}

async function changeTotals({ knex }: StoreUnderTest, { orderId }: PaidOrder, change: string): Promise<void> {
  await knex("order_summary")
    .where({ order_id: orderId })
    .update({ totals: knex.raw(`totals ${change}`) })
}

/** A link that was given out and is not paid, in addition to the paid row. */
async function openLink(store: StoreUnderTest, paid: PaidOrder, change: object): Promise<void> {
  await copyRow(store, paid, {
    payment_request_id: `${paid.id}open`,
    session_id: `${paid.id}session`,
    session_ids: [`${paid.id}session`],
    paid_session_id: null,
    paid_at: null,
    settled_at: null,
    captured_at: null,
    state: "open",
    ...change,
  })
}

/** A registration like the payment's own one, and with another reference. */
async function copyRegistration({ knex }: StoreUnderTest, { id }: PaidOrder, change: object): Promise<void> {
  const registration = await knex("crypto_payment_refund")
    .where({ request_id: id })
    .first<Record<string, unknown>>()
  await knex("crypto_payment_refund").insert({
    ...registration,
    id: `${id}second`,
    reference: `second refund of ${id}`,
    ...change,
  })
}

/** A case that was closed without the admin: there is no note of a user. */
const closedWithoutNote = ({ knex }: StoreUnderTest, reason: string) => ({
  attention_reason: reason,
  attention_since: knex.raw("now()"),
  attention_resolved_at: knex.raw("now()"),
  attention_note: null,
})

async function register(store: StoreUnderTest, { id }: PaidOrder, amount = "20.01"): Promise<void> {
  const { status } = await store.http.post(
    `/admin/crypto-payments/${id}/refunds`,
    { amount, reference: `refund of ${id}` },
    await store.admin()
  )
  if (status !== 200) {
    throw new Error(`the refund was answered with ${String(status)}`)
  }
}

/** Cases of a link that could not be read: once it is read as PAID, they do not explain what becomes of the money. */
const UNREAD = ["gateway_refuses", "gateway_unreadable", "provider_missing"]

async function openCaseBefore(store: StoreUnderTest, paid: PaidOrder, reason: string): Promise<void> {
  await rowOf(store, paid).update({
    attention_reason: reason,
    attention_since: store.knex.raw("paid_at - interval '1 hour'"),
  })
}

/** As if core had never been asked. */
async function neverCaptured(store: StoreUnderTest, paid: PaidOrder): Promise<void> {
  const { knex } = store
  await captureOf(store, paid).delete()
  await bookingOf(store, paid).delete()
  await knex("payment_collection")
    .where({ id: paid.collectionId })
    .update({ captured_amount: null, raw_captured_amount: null })
  await knex("order_summary")
    .where({ order_id: paid.orderId })
    .update({ totals: knex.raw(`totals || '{"transaction_total": 0, "paid_total": 0}'`) })
  await rowOf(store, paid).update({ state: "paid", captured_at: null, settled_at: null })
}

/** A settle that fails is due again soon. */
const failingForHours = ({ knex }: StoreUnderTest) => ({
  paid_at: knex.raw("now() - interval '2 hours'"),
  settles_begun: 30,
  next_check_at: knex.raw("now() + interval '1 minute'"),
})

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
    { name: "captured another amount than was asked for", rules: ["captured_otherwise"] },
    async (store, paid) => await rowOf(store, paid).update({ amount: "25.00" }),
  ],
  [
    { name: "captured without PAID", rules: ["captured_without_paid"] },
    async (store, paid) => await rowOf(store, paid).update({ paid_at: null, state: "closed" }),
  ],
  [
    { name: "captured, and the gateway said UNPAID", rules: ["captured_without_paid"] },
    async (store, paid) => await rowOf(store, paid).update({ gateway_status: "UNPAID" }),
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
    { name: "order unlinked by SQL", rules: ["order_missing"] },
    async ({ knex }, { orderId }) => {
      await knex("order_cart").where({ order_id: orderId }).delete()
      await knex("order")
        .where({ id: orderId })
        .update({ created_at: knex.raw("now() - interval '1 minute'") })
    },
  ],
  [
    { name: "payment collection unlinked by SQL", rules: ["order_missing"] },
    async ({ knex }, { orderId }) =>
      await knex("order_payment_collection").where({ order_id: orderId }).delete(),
  ],
  [
    { name: "payment collection deleted by SQL", rules: ["order_missing"] },
    async ({ knex }, { collectionId }) =>
      await knex("payment_collection").where({ id: collectionId }).update({ deleted_at: new Date() }),
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
    { name: "booked on two orders", rules: ["capture_booked_twice"] },
    async (store, paid) => {
      const booking = await bookingOf(store, paid).first<Record<string, unknown>>()
      await store.knex("order_transaction").insert({
        ...booking,
        raw_amount: money("20.01"),
        id: `${paid.orderId}copy`,
        order_id: await copyOrder(store, paid.orderId),
      })
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
    { name: "order's paid total changed", rules: ["order_sums_differ"] },
    async (store, paid) => await changeTotals(store, paid, `|| '{"paid_total": 7}'`),
  ],
  [
    { name: "order's refunded total changed", rules: ["order_sums_differ"] },
    async (store, paid) => await changeTotals(store, paid, `|| '{"refunded_total": 7}'`),
  ],
  [
    { name: "order's sum of transactions lost", rules: ["order_sums_differ"] },
    async (store, paid) => await changeTotals(store, paid, "- 'transaction_total'"),
  ],
  [
    { name: "order's summary removed", rules: ["order_sums_differ"] },
    async ({ knex }, { orderId }) => await knex("order_summary").where({ order_id: orderId }).delete(),
  ],
  [
    { name: "more captured than the order costs", rules: ["order_overpaid"] },
    async ({ knex }, { orderId }) => {
      // As if the item had been sold for 10.00: the order costs 15.00, and 20.01 was captured.
      await knex("order_item")
        .where({ order_id: orderId })
        .update({ unit_price: "10", raw_unit_price: money("10") })
      await knex("order_summary")
        .where({ order_id: orderId })
        .update({ totals: knex.raw(`totals || '{"current_order_total": 15, "pending_difference": -5.01}'`) })
    },
  ],
  [
    { name: "more captured than the order costs after its discount", rules: ["order_overpaid"] },
    async (store, paid) => {
      const { item_id, version } = await store.knex("order_item").where({ order_id: paid.orderId }).first()
      await store.knex("order_line_item_adjustment").insert({
        id: `${paid.orderId}discount`,
        item_id,
        version,
        amount: "5.01",
        raw_amount: money("5.01"),
      })
      await showExcess(store, paid, "5.01")
    },
  ],
  [
    { name: "more captured than the order costs after its credit", rules: ["order_overpaid"] },
    async (store, paid) => {
      await store.knex("order_credit_line").insert({
        id: `${paid.orderId}credit`,
        order_id: paid.orderId,
        version: 1,
        amount: "5.01",
        raw_amount: money("5.01"),
      })
      await showExcess(store, paid, "5.01")
    },
  ],
  [
    { name: "more captured than the order costs after its return", rules: ["order_overpaid"] },
    async (store, paid) => {
      await store
        .knex("order_item")
        .where({ order_id: paid.orderId })
        .update({ return_received_quantity: 1, raw_return_received_quantity: money("1") })
      await showExcess(store, paid, "15.01")
    },
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
    { name: "two registrations of one refund", rules: ["refund_not_finished"] },
    async (store, paid) => {
      await register(store, paid, "5.00")
      await copyRegistration(store, paid, {})
    },
  ],
  [
    { name: "more registered than received", rules: ["refund_not_finished", "refunded_without_refund"] },
    async (store, paid) => {
      await register(store, paid)
      await copyRegistration(store, paid, { amount: "5.00", medusa_refund_id: null })
    },
  ],
  [
    { name: "counts as refunded", rules: ["refunded_without_refund"] },
    async (store, paid) => await rowOf(store, paid).update({ state: "refunded" }),
  ],
  [{ name: "PAID, and nobody looks", rules: ["paid_without_capture"] }, neverCaptured],
  [
    { name: "PAID, and every settle fails", rules: ["paid_without_capture"] },
    async (store, paid) => {
      await neverCaptured(store, paid)
      await rowOf(store, paid).update(failingForHours(store))
    },
  ],
  [
    { name: "order cancelled by SQL, and every settle fails", rules: ["order_canceled"] },
    async (store, paid) => {
      await store.knex("order").where({ id: paid.orderId }).update({ canceled_at: new Date() })
      await rowOf(store, paid).update(failingForHours(store))
    },
  ],
  [
    { name: "PAID, and held for a year", rules: ["paid_without_capture"] },
    async (store, paid) => {
      await neverCaptured(store, paid)
      await rowOf(store, paid).update({
        lease_id: "left",
        lease_until: store.knex.raw("now() + interval '1 year'"),
      })
    },
  ],
  [
    { name: "PAID, with a case that was closed without a note", rules: ["paid_without_capture"] },
    async (store, paid) => {
      await neverCaptured(store, paid)
      await rowOf(store, paid).update(closedWithoutNote(store, "orphan_paid"))
    },
  ],
  [
    { name: "order cancelled, with a case that was closed without a note", rules: ["order_canceled"] },
    async (store, paid) => {
      await store.knex("order").where({ id: paid.orderId }).update({ canceled_at: new Date() })
      await rowOf(store, paid).update(closedWithoutNote(store, "paid_on_canceled"))
    },
  ],
  ...UNREAD.map((reason): [Damage, Plant] => [
    { name: `PAID, with the case ${reason} of before`, rules: ["paid_without_capture"] },
    async (store, paid) => {
      await neverCaptured(store, paid)
      await openCaseBefore(store, paid, reason)
    },
  ]),
  [
    { name: "captured, and nobody finishes it", rules: ["not_settled"] },
    async (store, paid) => await rowOf(store, paid).update({ settled_at: null }),
  ],
  [
    { name: "captured with a case of before, and nobody finishes it", rules: ["not_settled"] },
    async (store, paid) => {
      await rowOf(store, paid).update({ settled_at: null })
      await openCaseBefore(store, paid, "gateway_unreadable")
    },
  ],
  [
    { name: "an open link nobody watches", rules: ["link_not_watched"] },
    async (store, paid) => await openLink(store, paid, {}),
  ],
  [
    { name: "an open link with a case that nobody watches", rules: ["link_not_watched"] },
    async (store, paid) => await openLink(store, paid, { attention_reason: "gateway_refuses" }),
  ],
  [
    { name: "an open link that is checked next year", rules: ["link_not_watched"] },
    async (store, paid) =>
      await openLink(store, paid, { next_check_at: store.knex.raw("now() + interval '1 year'") }),
  ],
  [
    { name: "an open link that is held for a year", rules: ["link_not_watched"] },
    async (store, paid) =>
      await openLink(store, paid, {
        next_check_at: store.knex.raw("now() + interval '1 hour'"),
        lease_until: store.knex.raw("now() + interval '1 year'"),
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
    async (store, { cartId, orderId }) => {
      const copied = await copyOrder(store, orderId)
      await store.knex("order_cart").insert({ id: copied, order_id: copied, cart_id: cartId })
    },
  ],
  [
    { name: "two carts' orders, one payment collection", rules: ["two_orders"] },
    async (store, { orderId, collectionId }) => {
      const copied = await copyOrder(store, orderId)
      await store.knex("order_cart").insert({ id: copied, order_id: copied, cart_id: `${orderId}cart` })
      await linkCollection(store, copied, collectionId)
    },
  ],
  [
    { name: "provider gone", rules: ["not_settled", "provider_missing"] },
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
  const shared = await makePaidDraft(store)
  await linkCollection(store, await copyOrder(store, shared.orderId), shared.collectionId)
  planted.push({ name: "one draft, two orders", rules: ["two_orders"], ids: [shared.id, shared.orderId] })
  const unlinked = await makePaidDraft(store)
  await store.knex("order_payment_collection").where({ order_id: unlinked.orderId }).delete()
  planted.push({
    name: "draft order unlinked by SQL",
    rules: ["order_missing"],
    ids: [unlinked.id, unlinked.orderId],
  })
  const orphan = await payOrphan(store)
  await store.knex("crypto_payment_request").where({ id: orphan.id }).update({ attention_reason: null })
  planted.push({ name: "PAID without a case", rules: ["paid_without_capture"], ids: [orphan.id] })
  return planted
}
