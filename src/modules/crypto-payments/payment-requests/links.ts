import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { PaymentRequest } from "../../../gateway"
import { undefinedOnUniqueViolation } from "../errors"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { announcedBefore } from "./announcements"
import { transition } from "./life-cycle"
import {
  dueColumns,
  IDS_OF_ORDER,
  IS_BEING_PAID,
  IS_WAITING_MONEY,
  ORDER_OF_CART,
  REQUESTS,
  SAYS_UNPAID,
  STALE_CREATION,
} from "./request-sql"

/** An unpaid link is read this long after it was given out, unless something happens before. */
const FIRST_CHECK = "1 minute"

/**
 * The most sessions that a row keeps: that of its note, and the newest. A visitor can open the payment step again and
 * again.
 */
const MOST_SESSIONS = 50

/** Money that no session of Medusa waits for, and that nobody has dealt with. */
const MAY_BE_REBOUND = `${IS_WAITING_MONEY}
  AND NOT EXISTS (SELECT 1 FROM payment_session s WHERE s.id = r.session_id AND s.deleted_at IS NULL)`

/** Two requests with the same key share one open link. */
export interface LinkKey {
  provider_id: string
  gateway_origin: string
  payment_collection_id: string
  amount: string
  currency_code: string
  /** Null when open links are not reused. */
  payer_digest: string | null
}

type Belongings = Pick<CryptoPaymentRequestRow, "cart_id" | "order_id">

type NewLink = LinkKey & Belongings & Pick<CryptoPaymentRequestRow, "session_id">

/** Which money can pay a new session. The payer need not be the same. */
type MoneyKey = Belongings & Omit<LinkKey, "gateway_origin" | "payer_digest">

/** Issuing links: which session a payment request is bound to, and when it stops being offered. */
export class PaymentLinks {
  constructor(private readonly knex: Knex) {}

  /** @returns undefined if another call has created the open link of the same key */
  async insertCreating(
    link: NewLink,
    remindAfterMinutes: number | null
  ): Promise<CryptoPaymentRequestRow | undefined> {
    const [row] = await this.knex<CryptoPaymentRequestRow>(REQUESTS)
      .insert({
        ...link,
        id: generateEntityId(undefined, "cpreq"),
        session_ids: [link.session_id],
        state: "creating",
        remind_at: this.knex.raw("now() + CAST(? AS integer) * interval '1 minute'", [remindAfterMinutes]),
        order_announced_at: announcedBefore(this.knex, link),
      })
      .onConflict()
      .ignore()
      .returning("*")
    return row
  }

  /** Stores the gateway's answer. @returns a closed row when nobody waits for the link: still checked, never offered */
  async open(id: string, created: PaymentRequest): Promise<CryptoPaymentRequestRow> {
    const answer = {
      where: { id, payment_request_id: null },
      set: {
        payment_request_id: created.paymentRequestId,
        payment_link: created.paymentLink,
        gateway_status: created.paymentStatusReceived,
        ...this.checkedSoon(),
      },
      detail: { payment_request_id: created.paymentRequestId },
    }
    const row =
      (await transition(this.knex, "link_created", answer)) ??
      (await transition(this.knex, "link_created_late", answer))
    return row as CryptoPaymentRequestRow
  }

  /**
   * An order is about to be placed that this link is to pay.
   *
   * @param minutes how long the order may stay unpaid; null without a limit
   */
  async limitOrder(id: string, minutes: number | null): Promise<void> {
    // Of all links of its cart: an earlier one may have been authorized when the settings were others, and its order
    // refused. Core authorizes also for "Check status" on the page of an order. That one is announced.
    await this.knex(REQUESTS)
      .where({ order_announced_at: null })
      .whereRaw(`(id = :id OR cart_id = (SELECT own.cart_id FROM ${REQUESTS} own WHERE own.id = :id))`, {
        id,
      })
      .update({
        unpaid_ttl_minutes: this.knex.raw("CASE WHEN id = ? THEN CAST(? AS integer) END", [id, minutes]),
      })
  }

  /** Removes the row of a request that was certainly not sent. After a refusal the request may exist: its row stays. */
  async forget(id: string): Promise<void> {
    await this.knex(REQUESTS).where({ id, state: "creating" }).delete()
  }

  /** The outcome of the create is unknown, or its answer is unusable: never offered, still checked if it has an id. */
  async giveUpCreating(id: string, created?: PaymentRequest): Promise<void> {
    await transition(this.knex, "creation_failed", {
      where: { id },
      set:
        created === undefined
          ? {}
          : { payment_request_id: created.paymentRequestId, ...dueColumns(this.knex) },
      detail: { reason: "creation_failed" },
    })
  }

  /**
   * The request of the same key that may be offered again: the open one, one being created at this moment, or the
   * newest one whose session has just been deleted (core deletes the old session while it creates the new one).
   *
   * @param exceptIds requests that this call has found not payable
   */
  async findReusable(
    key: LinkKey,
    exceptIds: readonly string[]
  ): Promise<CryptoPaymentRequestRow | undefined> {
    // By its unique index, at most one row of a key with a digest is being created.
    await transition(this.knex, "creation_failed", {
      where: key,
      condition: `created_at < now() - interval '${STALE_CREATION}'`,
      detail: { reason: "creation_failed" },
    })
    return await this.knex<CryptoPaymentRequestRow>({ r: REQUESTS })
      .where(key)
      .whereNull("paid_at")
      .whereNull("deleted_at")
      .whereNotIn("id", exceptIds)
      .whereRaw(
        `(state IN ('creating', 'open') OR (state = 'superseded' AND payment_request_id IS NOT NULL
          AND (${IS_BEING_PAID} OR ${SAYS_UNPAID})))`
      )
      .orderByRaw("CASE state WHEN 'open' THEN 0 WHEN 'creating' THEN 1 ELSE 2 END, created_at DESC")
      .first()
  }

  /** The row by which a cart may be completed: its open link, or what was paid for it. */
  async findCompletingOfCart(cartId: string): Promise<CryptoPaymentRequestRow | undefined> {
    const condition = "r.cart_id = ? AND r.state IN ('open', 'closed', 'paid', 'captured')"
    return await this.findLive(condition, "r.paid_at, r.created_at DESC", cartId)
  }

  /**
   * The link of a collection's session, which core deletes for another one: it may be paid, also when an edit of the
   * order has withdrawn it.
   */
  async findOffered(collectionId: string): Promise<CryptoPaymentRequestRow | undefined> {
    const condition = "r.payment_collection_id = ? AND r.state IN ('open', 'superseded', 'paid')"
    return await this.findLive(condition, "r.created_at DESC", collectionId)
  }

  /** Of rows whose session exists. */
  private async findLive(
    condition: string,
    order: string,
    id: string
  ): Promise<CryptoPaymentRequestRow | undefined> {
    const { rows } = await this.knex.raw<{ rows: CryptoPaymentRequestRow[] }>(
      `SELECT r.* FROM ${REQUESTS} r
         JOIN payment_session s ON s.id = r.session_id AND s.deleted_at IS NULL
        WHERE ${condition} AND r.deleted_at IS NULL ORDER BY ${order} LIMIT 1`,
      [id]
    )
    return rows[0]
  }

  /**
   * Whether other money of the row's collection waits for a session: the next one gets that money, so a report of PAID
   * need not keep the row's session. Reports can be forged, and the money must not wait for them.
   */
  async isMoneyWaiting(row: CryptoPaymentRequestRow): Promise<boolean> {
    const { id, provider_id, payment_collection_id, amount, currency_code } = row
    const waiting = await this.knex<CryptoPaymentRequestRow>({ r: REQUESTS })
      .where({ provider_id, payment_collection_id, amount, currency_code })
      .whereNot({ id })
      .whereRaw(MAY_BE_REBOUND)
      .select("r.id")
    return waiting.length > 0
  }

  /**
   * Binds money of a session that core has deleted to a new session of the same cart or order, amount and currency: the
   * payer must not pay twice. Only one request, because a session is paid once. Never money that an admin user has
   * dealt with or refunded.
   */
  async adoptPaid(
    { payment_collection_id, cart_id, order_id, ...key }: MoneyKey,
    sessionId: string
  ): Promise<CryptoPaymentRequestRow | undefined> {
    const [oldest] = await this.knex<CryptoPaymentRequestRow>({ r: REQUESTS })
      .where(key)
      .whereRaw(
        `(r.payment_collection_id = :payment_collection_id OR r.cart_id = :cart_id
          OR r.id = ANY (ARRAY(${IDS_OF_ORDER(":order_id")})))`,
        { payment_collection_id, cart_id, order_id }
      )
      .whereRaw(MAY_BE_REBOUND)
      .orderBy([{ column: "paid_at" }, { column: "id" }])
      .limit(1)
      .select("id", "session_id", "paid_session_id")
    if (oldest === undefined) {
      return undefined
    }
    const rebound = this.knex.transaction(async (trx) => {
      // Waits for core, which writes the claimed session and its payment in one transaction.
      await trx("payment_session").where({ id: oldest.paid_session_id }).forUpdate().select("id")
      return await transition(trx, "money_rebound", {
        // If this statement waits for the row, Postgres checks these columns again, and not the condition.
        where: oldest,
        condition: MAY_BE_REBOUND,
        set: {
          ...this.boundTo(sessionId),
          paid_session_id: null,
          payment_collection_id,
          ...dueColumns(trx),
        },
        detail: { session_id: sessionId, reason: "money" },
      })
    })
    return await undefinedOnUniqueViolation(rebound)
  }

  /**
   * @returns undefined when there is no such link, or it was paid or taken out of reuse in the meantime; so is one that
   *   shows a part which was sent back: the gateway may still count it
   */
  async bind(
    link: { id: string } | (Omit<MoneyKey, keyof Belongings> & { payment_request_id: string }),
    sessionId: string
  ): Promise<CryptoPaymentRequestRow | undefined> {
    return await undefinedOnUniqueViolation(
      transition(this.knex, "link_reused", {
        where: { ...link, paid_at: null, paid_session_id: null },
        condition: `(r.paid_amount IS NOT NULL AND r.attention_reason = 'partly_paid'
          AND r.attention_resolved_at IS NOT NULL) IS NOT TRUE`,
        set: { ...this.boundTo(sessionId), ...this.checkedSoon() },
        detail: { session_id: sessionId },
      })
    )
  }

  /**
   * Stops offering a link, unless it was bound to another session meanwhile. The link can still be paid, so it is still
   * checked. A link that is being created is closed: it has no id to check until an answer, the list or a notification
   * brings one.
   */
  async withdraw(id: string, sessionId: string): Promise<void> {
    const where = { id, session_id: sessionId }
    // In this order: the gateway may answer between the two.
    await transition(this.knex, "creation_failed", {
      where,
      detail: { session_id: sessionId, reason: "deleted_before_answer" },
    })
    await transition(this.knex, "link_withdrawn", {
      where,
      // If core has authorized the link and taken its order back, another provider may pay the cart's next order.
      set: {
        unpaid_ttl_minutes: this.knex.raw(
          `CASE WHEN ${ORDER_OF_CART} IS NOT NULL THEN unpaid_ttl_minutes END`
        ),
      },
      detail: { session_id: sessionId },
    })
  }

  /** Stops offering a link that may have ended. It is still checked. */
  async retire(id: string): Promise<void> {
    await transition(this.knex, "link_withdrawn", { where: { id, paid_at: null } })
  }

  /** The link may be paid from now on. A settle that holds the row would write a later time at its end. */
  private checkedSoon(): Record<string, unknown> {
    return {
      next_check_at: this.knex.raw(`LEAST(next_check_at, now() + interval '${FIRST_CHECK}')`),
      check_requested_at: this.knex.raw("CASE WHEN lease_id IS NULL THEN check_requested_at ELSE now() END"),
    }
  }

  private boundTo(sessionId: string): Record<string, unknown> {
    return {
      session_id: sessionId,
      session_ids: this.knex.raw(
        `CASE WHEN session_ids @> ARRAY[:sessionId]::text[] THEN session_ids
          ELSE session_ids[1:1] || session_ids[greatest(2, cardinality(session_ids) - :kept + 1):] || :sessionId::text END`,
        { sessionId, kept: MOST_SESSIONS - 2 }
      ),
    }
  }
}
