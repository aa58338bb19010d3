import { deleteDraftOrdersWorkflow } from "@medusajs/medusa/core-flows"
import { diedWhileCompleting } from "./died-while-completing"
import { makePaidDraft } from "./draft-order"
import { inParallel } from "./in-parallel"
import { OrderChanges } from "./order-changes"
import { payOrphan, placePaidOrder, type PaidOrder } from "./paid-checkout"
import { nothingIsDue } from "./settle-due"
import type { StoreUnderTest } from "./store-under-test"

interface PlantedDamage {
  name: string
  /** The rules of the audit that notice it. */
  rules: string[]
  /** Ids that belong to this damage and to no other. */
  ids: string[]
}

/** Ids that SQL names as `:id`, `:orderId` and so on. */
type Ids = Pick<PaidOrder, "id"> & Partial<Omit<PaidOrder, "session">>

const row = (change: string) => `UPDATE crypto_payment_request SET ${change} WHERE id = ':id';`
const order = (change: string) => `UPDATE "order" SET ${change} WHERE id = ':orderId';`
const item = (change: string) => `UPDATE order_item SET ${change} WHERE order_id = ':orderId';`
const collection = (change: string) => `UPDATE payment_collection SET ${change} WHERE id = ':collectionId';`
const totals = (change: string) =>
  `UPDATE order_summary SET totals = totals ${change} WHERE order_id = ':orderId';`
/** What core's summary shows when the order costs so much. */
const cost = (amount: string) => totals(`|| '{"current_order_total": ${amount}}'`)
const raw = (amount: string) => `'{"value": "${amount}", "precision": 20}'`

/** Another row like one that is there, but for what makes it another one. */
const copy = (table: string, of: string, change: object) =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(t, '${JSON.stringify(change)}')).* FROM ${table} t WHERE ${of};`
const copyRow = (change: object) => copy("crypto_payment_request", "id = ':id'", { id: ":idcopy", ...change })
const copyBooking = (change: object) =>
  copy("order_transaction", "order_id = ':orderId'", { id: ":orderIdcopy", ...change })
/** An order with the same content, without a link to anything. */
const COPY_ORDER = copy(`"order"`, "id = ':orderId'", { id: ":orderIdcopy" })
const LINK_COPY = `
  INSERT INTO order_payment_collection (id, order_id, payment_collection_id)
  VALUES (':orderIdlink', ':orderIdcopy', ':collectionId');`
const giveCopyCart = (cartId: string) =>
  `INSERT INTO order_cart (id, order_id, cart_id) VALUES (':orderIdcopy', ':orderIdcopy', '${cartId}');`

/** A link that was given out and is not paid, in addition to the paid row. */
const openLink = (change = "state = 'open'") =>
  copyRow({
    payment_request_id: ":idopen",
    session_id: ":idsession",
    session_ids: [":idsession"],
    paid_session_id: null,
    paid_at: null,
    settled_at: null,
    captured_at: null,
    state: "open",
  }) + `UPDATE crypto_payment_request SET ${change} WHERE id = ':idcopy';`

/** A registration like the payment's own one, and with another reference. */
const copyRegistration = (change: object) =>
  copy("crypto_payment_refund", "request_id = ':id'", {
    id: ":idsecond",
    reference: "second :id",
    reference_digest: "second :id",
    ...change,
  })

/** A case that was closed without the admin: there is no note of a user. */
const closedWithoutNote = (reason: string) =>
  row(
    `attention_reason = '${reason}', attention_since = now(), attention_resolved_at = now(), attention_note = NULL`
  )

const openCaseBefore = (reason: string) =>
  row(`attention_reason = '${reason}', attention_since = paid_at - interval '1 hour'`)

/** As if core had never been asked. */
const NEVER_CAPTURED = [
  "DELETE FROM capture WHERE payment_id = ':paymentId';",
  "DELETE FROM order_transaction WHERE order_id = ':orderId';",
  collection("captured_amount = NULL, raw_captured_amount = NULL"),
  totals(`|| '{"transaction_total": 0, "paid_total": 0}'`),
  row("state = 'paid', captured_at = NULL, settled_at = NULL"),
].join("")

/** A settle that fails is due again soon. */
const FAILING_FOR_HOURS = row(
  "paid_at = now() - interval '2 hours', settles_begun = 30, next_check_at = now() + interval '1 minute'"
)

/** Cases of a link that could not be read: once it is read as PAID, they do not explain what becomes of the money. */
const UNREAD = ["gateway_refuses", "gateway_unreadable", "provider_missing"]

type Damage = [rules: string[], sql: string]

/** What can happen to a paid and settled order behind everybody's back. */
const DAMAGES: Record<string, Damage> = {
  "capture removed": [
    ["paid_without_capture", "collection_sums_differ"],
    "DELETE FROM capture WHERE payment_id = ':paymentId'",
  ],
  "captured twice": [
    ["captured_otherwise", "capture_not_booked", "collection_sums_differ"],
    copy("capture", "payment_id = ':paymentId'", { id: ":paymentIdcopy" }),
  ],
  "captured another amount": [
    ["captured_otherwise", "capture_not_booked", "collection_sums_differ"],
    `UPDATE capture SET amount = 25, raw_amount = ${raw("25")} WHERE payment_id = ':paymentId'`,
  ],
  "captured another amount than was asked for": [["captured_otherwise"], row("amount = '25.00'")],
  "captured without PAID": [["captured_without_paid"], row("paid_at = NULL, state = 'closed'")],
  "captured, and the gateway said UNPAID": [["captured_without_paid"], row("gateway_status = 'UNPAID'")],
  "order cancelled by SQL": [["order_missing"], order("status = 'canceled', canceled_at = now()")],
  "order deleted by SQL": [["order_missing"], order("deleted_at = now()")],
  "order unlinked by SQL": [["order_missing"], "DELETE FROM order_cart WHERE order_id = ':orderId'"],
  "payment collection unlinked by SQL": [
    ["order_missing"],
    "DELETE FROM order_payment_collection WHERE order_id = ':orderId'",
  ],
  "payment collection deleted by SQL": [["order_missing"], collection("deleted_at = now()")],
  "transaction removed": [
    ["capture_not_booked", "order_sums_differ"],
    "DELETE FROM order_transaction WHERE order_id = ':orderId'",
  ],
  "booked twice": [["capture_not_booked", "order_sums_differ"], copyBooking({})],
  "order in another currency": [["order_currency_differs"], order("currency_code = 'aed'")],
  "booking in another currency": [
    ["order_currency_differs"],
    "UPDATE order_transaction SET currency_code = 'aed' WHERE order_id = ':orderId'",
  ],
  "less captured than the order costs": [
    ["order_underpaid"],
    item(`unit_price = 30, raw_unit_price = ${raw("30")}`) + cost("35"),
  ],
  "case of too much with another sum": [
    ["case_sum_differs"],
    row("attention_reason = 'order_overpaid', attention_since = now(), attention_amount = '40.02'"),
  ],
  "case of too little that is over": [
    ["case_sum_differs"],
    row("attention_reason = 'order_underpaid', attention_since = now(), attention_amount = '15.01'"),
  ],
  "collection in another currency": [["order_currency_differs"], collection("currency_code = 'aed'")],
  "collection's sums changed": [
    ["collection_sums_differ"],
    collection(`refunded_amount = 5, raw_refunded_amount = ${raw("5")}`),
  ],
  "order's sums changed": [["order_sums_differ"], totals(`|| '{"transaction_total": 7}'`)],
  "order's paid total changed": [["order_sums_differ"], totals(`|| '{"paid_total": 7}'`)],
  "order's refunded total changed": [["order_sums_differ"], totals(`|| '{"refunded_total": 7}'`)],
  "order's sum of transactions lost": [["order_sums_differ"], totals("- 'transaction_total'")],
  "order's summary removed": [["order_sums_differ"], "DELETE FROM order_summary WHERE order_id = ':orderId'"],
  "more captured than the order costs": [
    ["order_overpaid"],
    // As if the item had been sold for 10.00: the order costs 15.00, and 20.01 was captured.
    item(`unit_price = 10, raw_unit_price = ${raw("10")}`) + cost("15"),
  ],
  "more captured than the order costs after its discount": [
    ["order_overpaid"],
    `INSERT INTO order_line_item_adjustment (id, item_id, version, amount, raw_amount)
     SELECT ':orderIddiscount', item_id, version, 5.01, ${raw("5.01")} FROM order_item WHERE order_id = ':orderId';` +
      cost("15"),
  ],
  "more captured than the order costs after its credit": [
    ["order_overpaid"],
    `INSERT INTO order_credit_line (id, order_id, version, amount, raw_amount)
     VALUES (':orderIdcredit', ':orderId', 1, 5.01, ${raw("5.01")});` + cost("15"),
  ],
  "more captured than the order costs after its return": [
    ["order_overpaid"],
    item(`return_received_quantity = 1, raw_return_received_quantity = ${raw("1")}`) + cost("5"),
  ],
  "refund that nobody registered": [
    ["refund_sums_differ", "collection_sums_differ"],
    `INSERT INTO refund (id, payment_id, amount, raw_amount, created_at)
     VALUES (':paymentIdrefund', ':paymentId', 20.01, ${raw("20.01")}, now() - interval '2 minutes')`,
  ],
  "refund not finished": [
    ["refund_sums_differ"],
    `INSERT INTO crypto_payment_refund (id, request_id, amount, reference, reference_digest, state, created_at)
     VALUES (':idrefund', ':id', '5.00', ':id', ':id', 'registered', now() - interval '2 minutes')`,
  ],
  "PAID, and nobody looks": [["paid_without_capture"], NEVER_CAPTURED],
  "PAID, and every settle fails": [["paid_without_capture"], NEVER_CAPTURED + FAILING_FOR_HOURS],
  "order cancelled by SQL, and every settle fails": [
    ["order_missing"],
    order("canceled_at = now()") + FAILING_FOR_HOURS,
  ],
  "PAID, and held for a year": [
    ["paid_without_capture"],
    NEVER_CAPTURED + row("lease_id = 'left', lease_until = now() + interval '1 year'"),
  ],
  "PAID, with a case that was closed without a note": [
    ["paid_without_capture"],
    NEVER_CAPTURED + closedWithoutNote("orphan_paid"),
  ],
  "order cancelled, with a case that was closed without a note": [
    ["order_missing"],
    order("canceled_at = now()") + closedWithoutNote("paid_on_canceled"),
  ],
  "captured, and nobody finishes it": [["not_settled"], row("settled_at = NULL")],
  "captured with a case of before, and nobody finishes it": [
    ["not_settled"],
    row("settled_at = NULL") + openCaseBefore("gateway_unreadable"),
  ],
  "an open link nobody watches": [["link_not_watched"], openLink()],
  "an open link with a case that nobody watches": [
    ["link_not_watched"],
    openLink("attention_reason = 'gateway_refuses'"),
  ],
  "an open link that is checked next year": [
    ["link_not_watched"],
    openLink("next_check_at = now() + interval '1 year'"),
  ],
  "an open link that is held for a year": [
    ["link_not_watched"],
    openLink("next_check_at = now() + interval '1 hour', lease_until = now() + interval '1 year'"),
  ],
  "order.placed was not heard": [
    ["order_not_announced"],
    row("order_announced_at = NULL, settled_at = now() - interval '6 minutes'"),
  ],
  "an event was not sent": [["event_not_sent"], row("announce_at = now() - interval '6 minutes'")],
  "one cart, two orders": [["two_orders"], COPY_ORDER + giveCopyCart(":cartId")],
  "two carts' orders, one payment collection": [
    ["two_orders"],
    COPY_ORDER + giveCopyCart(":orderIdcart") + LINK_COPY,
  ],
}
for (const reason of UNREAD) {
  const sql = NEVER_CAPTURED + openCaseBefore(reason)
  DAMAGES[`PAID, with the case ${reason} of before`] = [["paid_without_capture"], sql]
}

/** What can happen to an order whose merchant registered a refund of that amount. */
const DAMAGES_OF_REFUNDS: Record<string, [amount: string, ...Damage]> = {
  "refund removed from Medusa": [
    "20.01",
    ["refund_sums_differ", "collection_sums_differ"],
    "DELETE FROM refund WHERE payment_id = ':paymentId'",
  ],
  "refund's transaction removed": [
    "20.01",
    ["refund_sums_differ", "order_sums_differ"],
    "DELETE FROM order_transaction WHERE order_id = ':orderId' AND reference = 'refund'",
  ],
  "two registrations of one refund": ["5.00", ["refund_sums_differ"], copyRegistration({})],
  "more registered than received": [
    "20.01",
    ["refund_sums_differ"],
    copyRegistration({ amount: "5.00", medusa_refund_id: null }),
  ],
}

/** Plants each damage on a paid order of its own. */
export async function plantDamages(store: StoreUnderTest): Promise<PlantedDamage[]> {
  const planted: PlantedDamage[] = []
  const plant = async (ids: Ids, name: string, rules: string[], sql: string): Promise<void> => {
    await store.knex.raw(
      sql.replaceAll(/:(id|orderId|paymentId|collectionId|cartId)/g, (_, key: keyof Ids) => ids[key] ?? "")
    )
    planted.push({ name, rules, ids: [ids.id, ids.orderId ?? ids.id, `${ids.id}copy`] })
  }
  // The first one alone: core makes the guest's customer with it, and two at once would both try to.
  const first = await placePaidOrder(store)
  const others = Object.keys({ ...DAMAGES, ...DAMAGES_OF_REFUNDS }).length - 1
  const orders = [first, ...(await inParallel(others, 4, async () => await placePaidOrder(store)))]
  await nothingIsDue(store)
  for (const [name, damage] of Object.entries(DAMAGES)) {
    await plant(orders.pop() as PaidOrder, name, ...damage)
  }
  for (const [name, [amount, ...damage]] of Object.entries(DAMAGES_OF_REFUNDS)) {
    const paid = orders.pop() as PaidOrder
    const refund = { amount, reference: `refund of ${paid.id}` }
    await new OrderChanges(store).must(`/crypto-payments/${paid.id}/refunds`, refund)
    await plant(paid, name, ...damage)
  }
  await plant(
    await diedWhileCompleting(store, { links: [], isCaptured: true }),
    "order begun and not placed",
    ["not_settled", "order_missing"],
    row("next_check_at = NULL")
  )
  const draft = await makePaidDraft(store)
  await deleteDraftOrdersWorkflow(store.container).run({ input: { order_ids: [draft.orderId] } })
  await plant(draft, "draft order deleted", ["paid_without_capture"], "SELECT 1")
  await plant(await makePaidDraft(store), "one draft, two orders", ["two_orders"], COPY_ORDER + LINK_COPY)
  await plant(
    await makePaidDraft(store),
    "draft order unlinked by SQL",
    ["order_missing"],
    "DELETE FROM order_payment_collection WHERE order_id = ':orderId'"
  )
  const orphan = await payOrphan(store)
  await plant(orphan, "PAID without a case", ["paid_without_capture"], row("attention_reason = NULL"))
  return planted
}
