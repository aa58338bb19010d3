import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { GOODWILL, OWED } from "../support/facts"
import type { Random } from "../support/random"
import type { Merchant } from "./merchant"

const WEIGHTS = {
  pay_link: 20,
  pay_at_page: 20,
  edit_up: 9,
  edit_down: 8,
  begin_edit: 4,
  end_edit: 4,
  ship: 3,
  request_return: 5,
  end_return: 5,
  exchange: 6,
  claim: 3,
  credit: 5,
  ask_for_payment: 8,
  offer_link: 8,
  reopen_payment_step: 5,
  delete_collection: 4,
  mark_as_paid: 5,
  cancel: 3,
}
const OF_DRAFTS = { convert_draft: 25, delete_draft: 5 }
const MOST_ACTS = 5
const CHOICES = 6

type ActKind = keyof typeof WEIGHTS | keyof typeof OF_DRAFTS

/** Something that somebody does to an order. `choice` decides which of its links, how much, or how it ends. */
export interface Act {
  kind: ActKind
  choice: number
}

export function drawActs(random: Random, isDraft: boolean): Act[] {
  const weights = isDraft ? { ...WEIGHTS, ...OF_DRAFTS } : WEIGHTS
  return Array.from({ length: random.whole(1, MOST_ACTS) }, () => ({
    kind: random.weighted<ActKind>(weights as Record<ActKind, number>),
    choice: random.whole(0, CHOICES - 1),
  }))
}

/** An order as an act finds it, and where it is asked for. */
export type OrderForAct = Omit<ReturnType<Merchant["orderForAct"]>, "asAdmin">

type Do = (order: OrderForAct, choice: number) => Promise<unknown>

/** These make an order cheaper, or may: what it has too much from then on is a refund that is due, and no case. */
export const CHEAPENING: readonly ActKind[] = [
  "edit_down",
  "request_return",
  "exchange",
  "claim",
  "credit",
  "end_return",
]

/**
 * Each throws when the store refuses, or is down. Cancelling is not among them: the merchant asks for it until it is
 * answered.
 */
export const ACTS: Record<Exclude<ActKind, "cancel">, Do> = {
  pay_link: async ({ payLink }, choice) => await payLink(choice),
  pay_at_page: async ({ id, pages, payLink }, choice) => {
    const { payment_request_id } = await pages.link(await pages.of(id, OF_PAGES))
    await payLink(choice, payment_request_id)
  },
  edit_up: async (order) => {
    await beginEdit(order)
    await order.changes.must(`${editOf(order)}/confirm`)
  },
  edit_down: async (order) => {
    const { changes } = order
    const item = (await changes.items(order.id)).at(-1)
    const edit = await openEdit(order)
    await changes.must(`${edit}/items/item/${item?.id ?? ""}`, { quantity: (item?.quantity ?? 1) - 1 })
    await changes.must(`${edit}/confirm`)
  },
  begin_edit: beginEdit,
  end_edit: async (order, choice) =>
    choice % 2 === 0
      ? await order.changes.must(`${editOf(order)}/confirm`)
      : await order.changes.remove(editOf(order)),
  ship: async (order) => await order.changes.fulfill(order.id),
  request_return: async (order) => await order.changes.requestReturn(order.id, 1, await sentItem(order)),
  end_return: async (order, choice) => {
    const { changes, knex } = order
    const open = await knex("return").where({ order_id: order.id, status: "requested" }).first("id")
    const id = String(open?.id)
    await (choice % 2 === 0 ? changes.must(`/returns/${id}/cancel`) : changes.receiveReturn(id))
  },
  exchange: async (order, choice) =>
    await order.changes.exchange(order.id, choice % 2 === 0 ? DEARER : CHEAPER, await sentItem(order)),
  claim: async (order) => await order.changes.claim(order.id, CHEAPER, await sentItem(order)),
  credit: async (order) =>
    await order.changes.must(`/orders/${order.id}/credit-lines`, {
      amount: 3,
      reference: GOODWILL,
      reference_id: order.id,
    }),
  ask_for_payment: async (order, choice) => {
    const { changes, knex } = order
    const owed = Number((await readBalance(knex, order.id))?.owed ?? 0)
    const amount = choice % 3 === 0 ? Math.ceil(owed * 50) / 100 : owed
    await changes.link(await changes.collection({ orderId: order.id }, amount))
  },
  offer_link: async (order) => await order.changes.must(`/crypto-payments/orders/${order.id}/payment-link`),
  reopen_payment_step: async (order) => await order.shopper.openSession(await openCollection(order)),
  delete_collection: async (order) =>
    await order.changes.remove(`/payment-collections/${await openCollection(order)}`),
  mark_as_paid: async (order) =>
    await order.changes.must(`/payment-collections/${await openCollection(order)}/mark-as-paid`, {
      order_id: order.id,
    }),
  convert_draft: async (order) => await order.changes.must(`/draft-orders/${order.id}/convert-to-order`),
  delete_draft: async (order) => await order.changes.remove(`/draft-orders/${order.id}`),
}

/** With two providers in each region, the merchant has to say which one a page uses. */
export const OF_PAGES = { provider_id: "pp_crypto_default" }
const DEARER = 40
const CHEAPER = 5

/** A draft has routes of its own. */
const editOf = ({ id, isDraft }: OrderForAct): string =>
  isDraft ? `/draft-orders/${id}/edit` : `/order-edits/${id}`

async function openEdit(order: OrderForAct): Promise<string> {
  const path = editOf(order)
  await order.changes.must(order.isDraft ? path : "/order-edits", order.isDraft ? {} : { order_id: order.id })
  return path
}

/** One more unit, which is not confirmed yet. */
async function beginEdit(order: OrderForAct): Promise<void> {
  const items = [{ variant_id: order.seeded.variantId, quantity: 1 }]
  await order.changes.must(`${await openEdit(order)}/items`, { items })
}

/** One unit of what was sent. What was not is sent before. */
async function sentItem(order: OrderForAct): Promise<{ id: string; quantity: number }[]> {
  const { changes } = order
  const [item] = await changes.items(order.id)
  // Refused when all of it was sent before.
  await changes.fulfill(order.id).catch(() => undefined)
  return item === undefined ? [] : [{ id: item.id, quantity: 1 }]
}

async function openCollection(order: OrderForAct): Promise<string> {
  const newest = (await order.changes.openCollections(order.id)).at(-1)
  if (newest === undefined) {
    throw new Error("the order has no open collection")
  }
  return newest.id
}

/** What the order owes; undefined when nobody can pay for it any more. */
export async function readBalance(knex: Knex, orderId: string) {
  const { rows } = await knex.raw<{ rows: { owed: string; currency: "usd" | "aed" }[] }>(
    `SELECT ${OWED} AS owed, o.currency_code AS currency FROM "order" o
      WHERE o.id = ? AND o.deleted_at IS NULL AND o.status <> 'canceled'`,
    [orderId]
  )
  return rows[0]
}

/** Undoes what somebody began to change and left, as the refusal of a refund says. */
export async function endOpenChange(order: OrderForAct): Promise<void> {
  const change = await order
    .knex("order_change")
    .where({ order_id: order.id, deleted_at: null })
    .whereIn("status", ["pending", "requested"])
    .first("change_type", "return_id", "claim_id", "exchange_id")
  const path = {
    edit: editOf(order),
    // Core's own, of a process that died.
    credit_line: `/order-edits/${order.id}`,
    return_request: `/returns/${String(change?.return_id)}/request`,
    return_receive: `/returns/${String(change?.return_id)}/receive`,
    exchange: `/exchanges/${String(change?.exchange_id)}/request`,
    claim: `/claims/${String(change?.claim_id)}/request`,
  }[String(change?.change_type)]
  if (path !== undefined) {
    await order.changes.remove(path)
  }
}
