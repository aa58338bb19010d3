import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MathBN } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan, toTwoDecimals } from "../../../decision"
import { notAllowed } from "../errors"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import type { Viewer } from "../reports/people"
import { orderNumberIn } from "../reports/typed-search"
import { NO_CASE } from "./attention-case"
import { fence, type LeasedRow } from "./leases"
import { transition } from "./life-cycle"
import { IS_AUTHORIZED, readUncovered } from "./order-balance"
import {
  dueColumns,
  gatewayCurrency,
  IS_CANCELED,
  IS_UNUSED_MONEY,
  ORDER_OF_CART,
  REQUESTS,
  STRAY,
} from "./request-sql"
import { readPayer } from "./session-facts"

/** What was received, as an order is paid with it. */
export interface Received {
  /** Two decimals, in major units. */
  amount: string
  currency_code: string
}

export function receivedOf(row: CryptoPaymentRequestRow): Received {
  return { amount: toTwoDecimals(row.gateway_amount ?? row.amount), currency_code: gatewayCurrency(row) }
}

interface AppliedMoney {
  order_id: string
  payment_collection_id: string
  /** Of a draft order that was made of the row's cart. Null for any other order. */
  cart_id: string | null
  by: string
}

/** Why an order is likely to be the one: of the same cart or e-mail address, or it owes exactly this. */
const RANKS = ["same_cart", "same_email", "same_amount", null] as const

/** An order that could take the money. */
export interface Candidate {
  order_id: string
  display_id: number
  is_draft: boolean
  /** Null for a reader who may not see customers. */
  email: string | null
  currency_code: string
  /** What the order owes now that no authorized payment covers, and with this payment. Two decimals. */
  outstanding: string
  outstanding_after: string
  likely: (typeof RANKS)[number]
}

const MOST_CANDIDATES = 20
/** How many orders are added up for one answer. */
const MOST_JUDGED = 60
/** How many of the newest orders are looked at without a search. */
const NEWEST = 2000

type Found = Pick<Candidate, "order_id" | "display_id" | "is_draft" | "currency_code"> & {
  email: string | null
  is_of_cart: boolean
}

const FOUND = `o.id AS order_id, o.display_id, o.is_draft_order AS is_draft, o.currency_code, o.email,
  COALESCE(o.id = (SELECT ${ORDER_OF_CART} FROM ${REQUESTS} r WHERE r.id = :id), false) AS is_of_cart`

const IS_ORDER_OPEN = `o.deleted_at IS NULL AND NOT ${IS_CANCELED} AND lower(o.currency_code) = :currency_code`

/**
 * An order that asks for a payment or waits for core's manual payment, or that nobody has asked one for. Others owe
 * nothing, except after an edit.
 */
const MAY_OWE = `(SELECT bool_or(pc.status IN ('not_paid', 'awaiting') OR pc.status = 'authorized' AND NOT EXISTS (
     SELECT 1 FROM payment p WHERE p.payment_collection_id = pc.id AND ${IS_AUTHORIZED})) FROM order_payment_collection opc
    JOIN payment_collection pc ON pc.id = opc.payment_collection_id AND pc.deleted_at IS NULL
   WHERE opc.order_id = o.id AND opc.deleted_at IS NULL) IS NOT FALSE`

/** By a number, an id, an e-mail address, or a reference of one of the order's crypto payments. */
const SEARCHED = (q: string, { customers }: Viewer): string => {
  const ways = [
    "o.id = :q",
    `o.id IN (SELECT q.order_id FROM ${REQUESTS} q WHERE q.ref_id = :q OR q.payment_request_id = :q)`,
    ...(orderNumberIn(q) !== "" ? ["o.display_id = :number::bigint"] : []),
    // Core has no index for it: the table is read once, as for the list's search.
    ...(customers && q.includes("@") ? ["lower(o.email) = lower(:q)"] : []),
  ]
  return `SELECT ${FOUND} FROM "order" o WHERE ${IS_ORDER_OPEN} AND (${ways.join(" OR ")})
    ORDER BY o.display_id DESC LIMIT :most`
}

const LIKELY = `
  WITH newest AS (SELECT * FROM "order" ORDER BY display_id DESC LIMIT :newest)
  SELECT * FROM (SELECT ${FOUND} FROM newest o WHERE ${IS_ORDER_OPEN} AND ${MAY_OWE}) found
   ORDER BY is_of_cart DESC, lower(email) = lower(:email) DESC NULLS LAST, display_id DESC LIMIT :most`

/** Money that was received and pays for nothing: which order may take it, and giving it to that order. */
export class ReceivedMoney {
  constructor(private readonly knex: Knex) {}

  /** @throws MedusaError 400 that says what has become of the money */
  async requireUnused(row: CryptoPaymentRequestRow): Promise<void> {
    if (row.refund_registered_at !== null) {
      throw notAllowed(
        "A refund of this payment is registered, so it pays for no order. Register the rest of it as sent back too.",
        "refund_registered"
      )
    }
    const unused = this.knex({ r: REQUESTS }).where({ id: row.id }).whereRaw(IS_UNUSED_MONEY)
    if ((await unused.first("id")) === undefined) {
      throw notAllowed(
        "Only received money that pays for nothing can be used for an order. This payment has an order, is being " +
          "captured, or was not received. Read the payment again.",
        "already_used"
      )
    }
  }

  /**
   * Makes the money the payment of an order, of exactly what was received. From then on it waits for its capture like
   * money whose session core has deleted. @returns undefined when it was used or sent back meanwhile
   */
  async apply(
    lease: LeasedRow,
    { by, ...money }: AppliedMoney
  ): Promise<CryptoPaymentRequestRow | undefined> {
    const { id, amount, currency_code: currency_symbol, session_id, cart_id } = lease
    return await transition(this.knex, "money_applied", {
      where: fence(lease),
      condition: IS_UNUSED_MONEY,
      set: {
        ...NO_CASE,
        ...money,
        ...receivedOf(lease),
        ...dueColumns(this.knex),
        // The session of what it was to pay for is no session of this money any more.
        session_id: session_id.startsWith(STRAY) ? session_id : `${STRAY}${session_id}:${id}`,
        paid_session_id: null,
      },
      detail: { order_id: money.order_id, cart_id, by, amount, currency_symbol },
    })
  }

  /** What the order owes that no other provider's authorized payment covers. */
  async readUncovered(orderId: string): Promise<string> {
    return (await readUncovered(this.knex, [orderId])).get(orderId) ?? "0"
  }

  /**
   * The orders that owe at least what was received, in its currency, draft orders too: the likeliest first.
   *
   * @param q an order's number, as people write it, or its id, its e-mail address, or a reference of one of its payments
   */
  async listCandidates(row: CryptoPaymentRequestRow, q: string | undefined, viewer: Viewer) {
    const received = receivedOf(row)
    const { amount, currency_code } = received
    const email = viewer.customers ? (await readPayer(row)).email : null
    const number = orderNumberIn(q ?? "") || null
    const ofSearch = q === undefined ? { email, newest: NEWEST } : { q, number }
    const { rows } = await this.knex.raw<{ rows: Found[] }>(q === undefined ? LIKELY : SEARCHED(q, viewer), {
      ...{ id: row.id, currency_code, most: MOST_JUDGED },
      ...ofSearch,
    })
    const ids = rows.map(({ order_id }) => order_id)
    const owed = await readUncovered(this.knex, ids)
    const candidates = rows.flatMap(({ is_of_cart, ...found }): Candidate[] => {
      const outstanding = owed.get(found.order_id) ?? "0"
      const isOfEmail = email !== null && found.email?.toLowerCase() === email.toLowerCase()
      const isExact = amountsEqual(amount, outstanding)
      const candidate = {
        ...found,
        email: viewer.customers ? found.email : null,
        outstanding: toTwoDecimals(outstanding),
        outstanding_after: toTwoDecimals(MathBN.max(0, MathBN.sub(outstanding, amount))),
        likely: is_of_cart ? "same_cart" : isOfEmail ? "same_email" : isExact ? "same_amount" : null,
      } as const
      return isMoreThan(amount, outstanding) ? [] : [candidate]
    })
    const likeliest = candidates.sort((one, other) => RANKS.indexOf(one.likely) - RANKS.indexOf(other.likely))
    return { received, candidates: likeliest.slice(0, MOST_CANDIDATES) }
  }
}
