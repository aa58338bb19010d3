import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import {
  amountsEqual,
  hasPart,
  isMoreThan,
  isOfBeforePayment,
  isReported,
  isRestAwaited,
  toTwoDecimals,
} from "../../../decision"
import { toCurrencySymbol } from "../../../gateway"
import {
  alreadyPaidError,
  describeNotAsked,
  isNotAsked,
  notAllowed,
  partArrivedError,
  underReviewError,
} from "../errors"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { readOwed } from "./order-balance"
import { IDS_OF_ORDER, IS_CANCELED, REQUESTS } from "./request-sql"
import { readCollectionFacts } from "./session-facts"
import { isPartLeft, isPartTold, isUnderReview } from "./session-status"
import type { GatewayClients } from "../gateway-clients"
import type { PaymentLinks } from "./links"
import type { PaymentRequestQueue } from "./queue"

/** What it needs of the module. */
interface OrderLinkParts {
  links: PaymentLinks
  queue: PaymentRequestQueue
  gateways: GatewayClients
}

/** With these cases, settles still try to place the order or to book on it. */
const IS_TRIED_AGAIN: readonly string[] = ["paid_without_order", "provider_missing", "settle_fails"]

/** The payment links of one order: whether they let it be cancelled, and what becomes of them then. */
export class OrderLinks {
  constructor(
    private readonly knex: Knex,
    private readonly ledger: OrderLinkParts
  ) {}

  /**
   * Refuses (400) to cancel an order, or to delete a draft order, while crypto paid for it is not sent back or may be
   * paid at this moment: core would book a refund that nobody made, or delete the payment.
   */
  async refuseWhilePaid(orderId: string, what: "cancel" | "delete"): Promise<void> {
    for (const row of await this.check(orderId)) {
      const { failure } = row
      if (isReported(row)) {
        await this.ledger.queue.requestSettle(row.id)
        throw notAllowed(
          `The crypto payment service has said that this order was paid, and does not show the payment yet. Try again in a minute. If the payment has a case, deal with the case first, then ${what} the order.`
        )
      }
      const mayBePaid = failure !== null && failure !== "unknown_to_gateway" && row.state === "open"
      if (row.paid_at !== null && row.state !== "refunded") {
        throw notAllowed(
          "This order was paid in crypto, and the gateway cannot refund. Send the money back in the gateway's dashboard, " +
            (what === "cancel"
              ? 'press "Register refund" in the section "Crypto payment" of the order, then cancel the order.'
              : 'press "Register refund" on the page of the payment under Crypto payments, then delete the draft order.')
        )
      }
      if (mayBePaid) {
        throw notAllowed(
          isNotAsked(failure)
            ? describeNotAsked(failure, row)
            : `The crypto payment service does not say whether this order's payment link was paid. Try again in a minute. If that is refused too, check the connection in Settings, Crypto payments, then ${what} the order.`
        )
      }
    }
  }

  /** Reads an order's links that may still be paid, and asks for settles of paid ones. */
  async check(orderId: string): Promise<CryptoPaymentRequestRow[]> {
    const checked: CryptoPaymentRequestRow[] = []
    for (const found of await findRequestsOfOrder(this.knex, orderId)) {
      const isPayable = found.state === "open" || found.state === "superseded"
      const link = isPayable ? await this.ledger.gateways.check(found) : found
      if (link.paid_at !== null && found.paid_at === null) {
        await this.ledger.queue.requestSettle(found.id)
      }
      checked.push(link)
    }
    return checked
  }

  /** The link of an order that keeps all its others from being paid: `findHolding`. */
  async findHolding(orderId: string): Promise<CryptoPaymentRequestRow | undefined> {
    return findHolding(await findWithMoney(this.knex, orderId))
  }

  /**
   * For a payer who asks for a link of the order.
   *
   * @throws MedusaError 400 while nobody is to pay for it. Money that was received for exactly what it asks for is used
   *   now, as **Check now** does
   */
  async refuseWhileHeld(orderId: string): Promise<void> {
    const links = await findWithMoney(this.knex, orderId)
    const holding = findHolding(links)
    if (holding === undefined) {
      return
    }
    for (const { id } of links.filter(isReceived)) {
      await this.ledger.queue.requestSettle(id)
    }
    const isChecked = isUnderReview(holding) || hasPart(holding)
    throw isPartTold(holding) ? partArrivedError() : isChecked ? underReviewError() : alreadyPaidError()
  }

  /** The newest offered link of an order, whose session exists: of this collection, if that has one. */
  async findOffered(orderId: string, collectionId: string | null) {
    const { rows } = await this.knex.raw<{
      rows: Record<"id" | "session_id" | "amount" | "payment_collection_id", string>[]
    }>(
      `SELECT r.id, r.session_id, r.amount, s.payment_collection_id FROM ${REQUESTS} r
         JOIN payment_session s ON s.id = r.session_id AND s.deleted_at IS NULL
        WHERE r.id IN (${IDS_OF_ORDER(":orderId")}) AND r.state = 'open'
        ORDER BY (s.payment_collection_id = :collectionId) IS TRUE DESC, r.created_at DESC LIMIT 1`,
      { orderId, collectionId }
    )
    const [link] = rows
    if (link === undefined) {
      return undefined
    }
    const state = await readCollectionFacts(this.knex, link.payment_collection_id)
    const isOutdated = state !== undefined && !amountsEqual(link.amount, state.link_amount)
    return { id: link.id, session_id: link.session_id, isOutdated }
  }

  /** @returns undefined when the order is cancelled or owes nothing */
  async findPayable(orderId: string) {
    const { rows } = await this.knex.raw<{
      rows: {
        currency_code: string
        email: string | null
        region_id: string | null
        collection_ids: string[]
      }[]
    }>(
      // Collections that wait for a payment and have none. A paid link with a case prevents another link.
      `SELECT o.currency_code, o.email, o.region_id, ARRAY(
                SELECT pc.id FROM order_payment_collection opc
                  JOIN payment_collection pc ON pc.id = opc.payment_collection_id AND pc.deleted_at IS NULL
                 WHERE opc.order_id = o.id AND opc.deleted_at IS NULL AND pc.status IN ('not_paid', 'awaiting')
                   AND pc.amount > 0 AND pc.currency_code = o.currency_code
                   AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_collection_id = pc.id AND p.deleted_at IS NULL)
                   AND NOT EXISTS (SELECT 1 FROM ${REQUESTS} q
                                     JOIN payment_session s ON s.id = q.session_id AND s.deleted_at IS NULL
                                    WHERE s.payment_collection_id = pc.id AND q.state = 'paid' AND q.deleted_at IS NULL)
                 ORDER BY pc.created_at DESC) AS collection_ids
         FROM "order" o
        WHERE o.id = ? AND o.deleted_at IS NULL AND NOT ${IS_CANCELED}`,
      [orderId]
    )
    const [order] = rows
    const outstanding = await readOwed(this.knex, orderId)
    if (order === undefined || !isMoreThan(outstanding, "0")) {
      return undefined
    }
    const requests = await findRequestsOfOrder(this.knex, orderId)
    return { ...order, outstanding, is_being_settled: requests.some(isBeingSettled) }
  }

  /** The provider of the order's newest crypto payment; null without one. */
  async findProvider(orderId: string): Promise<string | null> {
    const [newest] = await findRequestsOfOrder(this.knex, orderId)
    return newest?.provider_id ?? null
  }

  /** What the order owes; null when it can have no link, or owes nothing. */
  async readOwed(orderId: string): Promise<{ amount: string; currency_code: string } | null> {
    const order = await this.findPayable(orderId)
    return order === undefined ||
      order.is_being_settled ||
      toCurrencySymbol(order.currency_code) === undefined
      ? null
      : { amount: toTwoDecimals(order.outstanding), currency_code: order.currency_code }
  }

  /**
   * The merchant asks for a link: the order's time to be paid begins again. A link of a storefront only prolongs the
   * time (`decision/order-expiry.ts`). An order without any link has no time yet.
   */
  async restartTime(orderId: string): Promise<void> {
    await this.knex.raw(
      `UPDATE ${REQUESTS} SET offered_by_merchant_at = clock_timestamp(), updated_at = now()
        WHERE id IN (${IDS_OF_ORDER(":orderId")})`,
      { orderId }
    )
  }

  /**
   * For an order that is cancelled or was just made of its cart: its links are not offered any more, and still checked.
   */
  async withdraw(orderId: string): Promise<void> {
    for (const { id, session_id } of await findRequestsOfOrder(this.knex, orderId)) {
      await this.ledger.links.withdraw(id, session_id)
    }
  }
}

/** Money was received that settles still try to book: nothing else may be paid for its order meanwhile. */
export function isBeingSettled(row: CryptoPaymentRequestRow): boolean {
  const { state, attention_reason: reason, attention_resolved_at: resolvedAt } = row
  const isTriedAgain = reason === null || (resolvedAt === null && IS_TRIED_AGAIN.includes(reason))
  return state === "paid" && (isTriedAgain || isOfBeforePayment(row))
}

/**
 * Of an order's links, the one because of which nobody is to pay for the order now: its money was received and is not
 * booked, or is said to have been received, or a part of it has arrived. Once an admin user has closed its case, the
 * order can be paid again, by another link.
 */
export function findHolding(links: readonly CryptoPaymentRequestRow[]): CryptoPaymentRequestRow | undefined {
  const reasons = [isBeingSettled, isReceived, isReported, isPartToPay]
  return reasons.map((holds) => links.find(holds)).find((row) => row !== undefined)
}

/** Money that is not booked, and that no admin user has dealt with. */
function isReceived(row: CryptoPaymentRequestRow): boolean {
  return row.state === "paid" && row.attention_resolved_at === null
}

export function isPartToPay(row: CryptoPaymentRequestRow): boolean {
  return isPartLeft(row) && isRestAwaited(row)
}

/** Not its other links: a payment step makes one each time when open links are not reused. */
async function findWithMoney(knex: Knex, orderId: string): Promise<CryptoPaymentRequestRow[]> {
  const hasMoney = "(r.state = 'paid' OR r.is_reported_paid OR r.paid_amount IS NOT NULL)"
  return await findRequestsOfOrder(knex, orderId, hasMoney)
}

/** @param condition on `r` */
async function findRequestsOfOrder(
  knex: Knex,
  orderId: string,
  condition = "true"
): Promise<CryptoPaymentRequestRow[]> {
  const { rows } = await knex.raw<{ rows: CryptoPaymentRequestRow[] }>(
    `SELECT r.* FROM ${REQUESTS} r
      WHERE r.id IN (${IDS_OF_ORDER(":orderId")}) AND ${condition} ORDER BY r.created_at DESC`,
    { orderId }
  )
  return rows
}
