import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { z } from "@medusajs/framework/zod"
import type { AttentionReason } from "../../../decision"
import { unknownRequestError } from "../errors"
import type { CryptoPaymentRefundRow } from "../models/crypto-payment-refund"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import {
  GATEWAY_CURRENCY,
  IDS_OF_ORDER,
  IS_CASE_OF_CART,
  IS_UNUSED_MONEY,
  ORDER_OF_CART,
  ORDER_OF_COLLECTION,
  REGISTERED_REFUND,
  REQUESTS,
} from "../payment-requests/request-sql"
import type { ProviderSettings } from "../settings/effective-settings"
import { readActors, readCustomers, type Customer, type Viewer } from "./people"
import { requestFilter, rowsOf } from "./request-filter"

/** Rows without a value come last, either way. The first two always have a value. */
const SORTABLE = ["created_at", "amount", "paid_at", "last_checked_at", "attention_since"] as const
const whole = z.coerce.number().int().nonnegative()

/** A page of the payments of a filter. With `-` in front of the column, the order is descending. */
export const listQuery = requestFilter.extend({
  limit: whole.min(1).max(200).default(20),
  offset: whole.max(1_000_000).default(0),
  order: z.enum([...SORTABLE, ...SORTABLE.map((column) => `-${column}` as const)]).default("-created_at"),
  /** Adds the sums over all rows of the filter. */
  totals: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true"),
})

export type ListQuery = z.output<typeof listQuery>

/** What is shown next to a request of the gateway's list. */
const BESIDE = ["id", "state", "amount", "currency_code", "order_id", "attention_reason"] as const
type BesideRow = Pick<CryptoPaymentRequestRow, (typeof BESIDE)[number]>

const COLUMNS = [
  "id provider_id gateway_origin payment_request_id payment_link session_id session_ids paid_session_id",
  "payment_collection_id cart_id order_id amount currency_code state gateway_status gateway_amount",
  "gateway_currency_symbol payment_currency payment_amount receiving_amount fee_amount fee_paid_by ref_id paid_at",
  "captured_at settled_at refund_registered_at attention_reason attention_since attention_resolved_at",
  "attention_note attention_amount failure failing_since last_checked_at last_webhook_at next_check_at created_at",
  "updated_at",
] as const

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

type Detail = Record<string, string | null> | null

export type CryptoPayment = Pick<CryptoPaymentRequestRow, Words<(typeof COLUMNS)[number]>> & {
  attention_reason: AttentionReason | null
  order_display_id: number | null
  refunded_amount: string
  /** Further facts of the last case, such as `order_id`. */
  attention_detail: Detail
  /** Of a closed row, and of one whose order was cancelled because nobody paid. */
  closed_because: string | null
  /** The money was received and pays for nothing: it can be used for an order. */
  is_unused: boolean
  /** A draft order can be made of its cart, or was begun and does not have the money yet. */
  can_make_draft: boolean
  /** Of a duplicate: the crypto payment that pays its order or cart. Null when that was paid another way. */
  duplicate_of: string | null
  /** The gateway's reference of that payment. */
  duplicate_reference: string | null
  /** Null when Medusa knows nobody, and for a reader who may not see customers. */
  customer: Customer | null
}

export interface LedgerTotal {
  currency_code: string
  /** Rows whose requested amount is in this currency, and the sum of those amounts. */
  count: number
  amount: string
  /** Paid rows whose received amount is in this currency, the sum of those amounts, and what was refunded of it. */
  paid_count: number
  received: string
  refunded: string
}

export interface Activity {
  id: string
  type: string
  detail: Detail
  created_at: Date
  /** Of its type, in the whole timeline. */
  is_first: boolean
  /** Null for the store itself. */
  actor: { id: string; name: string | null } | null
}

type RecordedActivity = Omit<Activity, "actor"> & { actor_id: string | null }

type Refund = Pick<CryptoPaymentRefundRow, (typeof REFUND_COLUMNS)[number]>

/** Written out: with core's types, the declaration of a route names a package that this one does not declare. */
interface Order {
  id: string
  display_id: number
  status: string
  canceled_at: Date | null
  created_at: Date
}

type LinkedRow = Omit<CryptoPayment, "customer"> & { linked_order_id: string | null }

/** Rows `r` of one page with their order `o`. */
export const LINKED = (page: string): string => `
    FROM (${page}) r
    LEFT JOIN LATERAL (
      SELECT COALESCE(r.order_id, ${ORDER_OF_CART}, ${ORDER_OF_COLLECTION}) AS order_id
    ) link ON true
    LEFT JOIN "order" o ON o.id = link.order_id AND o.deleted_at IS NULL`

/**
 * `workflows/draft-of-cart.ts` makes a draft order for it, or continues one. `r` is linked to the order `o`. What only
 * the cart knows is said there.
 */
const CAN_MAKE_DRAFT = `(r.cart_id IS NOT NULL AND ${IS_CASE_OF_CART} AND ${GATEWAY_CURRENCY} = r.currency_code
  AND (${IS_UNUSED_MONEY} OR r.captured_at IS NOT NULL AND r.refund_registered_at IS NULL)
  AND (link.order_id IS NULL OR COALESCE(o.is_draft_order, false) AND NOT EXISTS (
    SELECT 1 FROM ${REQUESTS} q
     WHERE q.cart_id = r.cart_id AND q.id <> r.id AND q.state = 'captured' AND q.deleted_at IS NULL)))`

const WITH_LINKS = (page: string): string => `
  SELECT ${COLUMNS.join(" ").replace(/\w+/g, "r.$&,")} o.display_id AS order_display_id, o.id AS linked_order_id,
         to_char(${REGISTERED_REFUND}, 'FM99999999999999999990.00') AS refunded_amount,
         CASE WHEN r.attention_reason IS NOT NULL THEN (
           SELECT a.detail FROM crypto_payment_activity a
            WHERE a.request_id = r.id AND a.type = 'attention' AND a.detail ->> 'reason' = r.attention_reason
              AND a.deleted_at IS NULL
            ORDER BY a.position DESC LIMIT 1) END AS attention_detail,
         CASE WHEN r.state IN ('closed', 'superseded') THEN (
           SELECT a.detail ->> 'reason' FROM crypto_payment_activity a
            WHERE a.request_id = r.id AND a.type = 'closed' AND a.deleted_at IS NULL
            ORDER BY a.position DESC LIMIT 1) END AS closed_because,
         ${IS_UNUSED_MONEY} AS is_unused,
         ${CAN_MAKE_DRAFT} AS can_make_draft,
         paying.id AS duplicate_of, paying.ref_id AS duplicate_reference
    ${LINKED(page)}
    LEFT JOIN LATERAL (
      SELECT q.id, q.ref_id FROM ${REQUESTS} q
       WHERE r.attention_reason = 'duplicate_payment' AND q.id <> r.id AND q.state = 'captured'
         AND q.id IN (${IDS_OF_ORDER("link.order_id")}
           UNION SELECT q.id FROM ${REQUESTS} q WHERE q.cart_id = r.cart_id AND q.deleted_at IS NULL)
       ORDER BY q.captured_at LIMIT 1) paying ON true`

/** For a refund, who registered it. */
const ACTOR_ID = `COALESCE(a.detail ->> 'by', CASE WHEN a.type = 'refund' THEN (
  SELECT f.created_by FROM crypto_payment_refund f
   WHERE f.request_id = a.request_id AND f.reference = a.detail ->> 'reference' LIMIT 1) END)`

const ACTIVITIES = `
  SELECT a.id, a.type, a.detail, a.created_at, a.is_first, ${ACTOR_ID} AS actor_id
    FROM (SELECT *, position = min(position) OVER (PARTITION BY type) AS is_first
            FROM crypto_payment_activity WHERE request_id = :id AND deleted_at IS NULL
           ORDER BY position DESC LIMIT :limit OFFSET :offset) a
   ORDER BY a.position`

const REFUND_COLUMNS = [
  ...(["id", "request_id", "amount", "reference", "note", "created_by", "state"] as const),
  ...(["refund_reason_id", "medusa_refund_id", "applied_at", "created_at"] as const),
]

/** Requested and received currency can differ, so a currency can be in both parts. */
const TOTALS = `
  WITH sums AS (
    SELECT r.currency_code AS asked, ${GATEWAY_CURRENCY} AS came, count(*) AS count, SUM(r.amount::numeric) AS amount,
           count(*) FILTER (WHERE r.paid_at IS NOT NULL) AS paid_count,
           SUM(r.gateway_amount::numeric) FILTER (WHERE r.paid_at IS NOT NULL) AS received,
           SUM(${REGISTERED_REFUND}) FILTER (WHERE r.refund_registered_at IS NOT NULL) AS refunded
      FROM ? r GROUP BY 1, 2
  ), part AS (
    SELECT asked AS currency_code, count, amount, 0 AS paid_count, 0 AS received, 0 AS refunded FROM sums
    UNION ALL
    SELECT came, 0, 0, paid_count, COALESCE(received, 0), COALESCE(refunded, 0) FROM sums WHERE paid_count > 0
  )
  SELECT currency_code, SUM(count)::int AS count, SUM(amount)::text AS amount, SUM(paid_count)::int AS paid_count,
         SUM(received)::text AS received, SUM(refunded)::text AS refunded
    FROM part GROUP BY 1 ORDER BY 1`

/** All values of an indexed column, each found by one index look-up. */
export const VALUES_OF = (column: "payment_currency" | "provider_id"): string => `
  WITH RECURSIVE found AS (
    (SELECT min(${column}) AS value FROM crypto_payment_request WHERE ${column} > '' AND deleted_at IS NULL)
    UNION ALL
    SELECT (SELECT min(${column}) FROM crypto_payment_request
             WHERE ${column} > f.value AND deleted_at IS NULL) FROM found f WHERE f.value IS NOT NULL
  ) SELECT value FROM found WHERE value IS NOT NULL`

/**
 * Payments for display: lists, searches, one row with its details. Reads only. A viewer who may not read orders sees no
 * id of a cart or an order: with it, Medusa's store routes show the customer's address and e-mail without a login.
 */
export class ShownPayments {
  constructor(private readonly knex: Knex) {}

  async list({ limit, offset, order, totals, ...filter }: ListQuery, viewer: Viewer) {
    const filtered = rowsOf(this.knex, filter, viewer)
    const sorted = orderBy(order)
    // Only ids are sorted, so that the sort stays small.
    const ids = filtered.clone().select("r.id").orderByRaw(sorted).limit(limit).offset(offset)
    const [{ rows }, [counted]] = await Promise.all([
      this.knex.raw<{ rows: LinkedRow[] }>(
        `${WITH_LINKS("SELECT * FROM crypto_payment_request WHERE id IN ?")} ORDER BY ${sorted}`,
        [ids]
      ),
      filtered.clone().select<{ count: number }[]>(this.knex.raw("count(*)::int AS count")),
    ])
    const crypto_payments = await toListed(rows, viewer)
    const sums = totals ? await this.readTotals(filtered) : {}
    return { crypto_payments, count: counted?.count ?? 0, limit, offset, ...sums }
  }

  private async readTotals(
    filtered: Knex.QueryBuilder
  ): Promise<{ totals?: LedgerTotal[]; coins?: string[] }> {
    const sums = await this.knex.raw<{ rows: LedgerTotal[] }>(TOTALS, [filtered.clone().select("r.*")])
    const coins = await this.knex.raw<{ rows: { value: string }[] }>(
      `${VALUES_OF("payment_currency")} LIMIT 100`
    )
    return { totals: sums.rows, coins: coins.rows.map(({ value }) => value) }
  }

  /** @throws MedusaError 404 */
  async require(id: string, viewer: Viewer): Promise<CryptoPayment> {
    return (await this.requireLinked(id, viewer)).shown
  }

  /** One row with a page of its timeline, its refunds, order and cart. @throws MedusaError 404 */
  async requireDetail(id: string, viewer: Viewer, page: Pick<ListQuery, "limit" | "offset">) {
    const { row, shown } = await this.requireLinked(id, viewer)
    const [activities, [counted], refunds, order = null, cart = null] = await Promise.all([
      this.knex.raw<{ rows: RecordedActivity[] }>(ACTIVITIES, { id, ...page }),
      this.knex("crypto_payment_activity")
        .where({ request_id: id, deleted_at: null })
        .select<{ count: number }[]>(this.knex.raw("count(*)::int AS count")),
      this.knex("crypto_payment_refund")
        .where({ request_id: id, deleted_at: null })
        .orderBy("created_at")
        .select<Refund[]>(REFUND_COLUMNS),
      this.knex("order")
        .where({ id: row.linked_order_id ?? "", deleted_at: null })
        .first<Order | undefined>("id", "display_id", "status", "canceled_at", "created_at"),
      this.knex("cart")
        .where({ id: row.cart_id ?? "", deleted_at: null })
        .first<{ id: string; completed_at: Date | null } | undefined>("id", "completed_at"),
    ])
    const actors = await readActors(
      activities.rows.map(({ actor_id }) => actor_id),
      viewer
    )
    return {
      ...shown,
      refunds,
      refundable_amount: refundableAmount(row),
      activities: activities.rows.map(({ actor_id, ...entry }): Activity => {
        const actor = actor_id === null ? null : { id: actor_id, name: actors.get(actor_id) ?? null }
        return { ...entry, detail: showDetail(entry.detail, viewer), actor }
      }),
      activities_count: counted?.count ?? 0,
      order: order && { ...order, id: viewer.orders ? order.id : null },
      cart: viewer.orders ? cart : null,
    }
  }

  /** The provider's rows of the requests on a page of the gateway's list, by their ids at the gateway. */
  async findListed(
    { providerId, origin }: Pick<ProviderSettings, "providerId" | "origin">,
    listed: readonly string[],
    { orders }: Viewer
  ): Promise<Map<string, { is_paid: boolean; shown: BesideRow }>> {
    const rows = await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .where({ provider_id: providerId, gateway_origin: origin, deleted_at: null })
      .whereIn("payment_request_id", listed)
      .select(...BESIDE, "payment_request_id", "paid_at")
    return new Map(
      rows.map(({ payment_request_id, paid_at, order_id, ...row }) => [
        payment_request_id ?? "",
        { is_paid: paid_at !== null, shown: { ...row, order_id: orders ? order_id : null } },
      ])
    )
  }

  private async requireLinked(id: string, viewer: Viewer): Promise<{ row: LinkedRow; shown: CryptoPayment }> {
    const { rows } = await this.knex.raw<{ rows: LinkedRow[] }>(
      WITH_LINKS(`SELECT * FROM crypto_payment_request WHERE id = ? AND deleted_at IS NULL`),
      [id]
    )
    const [row] = rows
    const [shown] = await toListed(rows, viewer)
    if (row === undefined || shown === undefined) {
      throw unknownRequestError(id)
    }
    return { row, shown }
  }
}

/** An order that is placed before it is paid belongs to the cart, and not yet to the row. */
async function toListed(rows: readonly LinkedRow[], viewer: Viewer): Promise<CryptoPayment[]> {
  const customers = viewer.customers ? await readCustomers(rows) : []
  return rows.map(({ linked_order_id: linked, ...row }, index) => ({
    ...row,
    cart_id: viewer.orders ? row.cart_id : null,
    order_id: viewer.orders ? (row.order_id ?? linked) : null,
    attention_detail: showDetail(row.attention_detail, viewer),
    customer: customers[index] ?? null,
  }))
}

/** Null before PAID. */
function refundableAmount({ paid_at, gateway_amount, refunded_amount }: LinkedRow): string | null {
  return paid_at === null || gateway_amount === null
    ? null
    : MathBN.sub(MathBN.convert(gateway_amount, 2), refunded_amount).toFixed(2)
}

function showDetail(detail: Detail, { orders }: Viewer): Detail {
  return orders ? detail : detail && { ...detail, order_id: null, cart_id: null }
}

function orderBy(order: ListQuery["order"]): string {
  const column = order.replace("-", "")
  const direction = order.startsWith("-") ? "DESC" : "ASC"
  const sorted = column === "amount" ? "(r.amount::numeric)" : `r.${column}`
  const nulls = column === "created_at" || column === "amount" ? "" : " NULLS LAST"
  return `${sorted} ${direction}${nulls}, r.id`
}
