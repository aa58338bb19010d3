import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MedusaError } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan } from "../../../decision"
import { providerMissingError, unrefundedError } from "../errors"
import type { CheckedRow, GatewayClients } from "../gateway-clients"
import { readBalances, readCollectionState } from "./core-facts"
import { findRequestsOfOrder } from "./guard-facts"
import type { PaymentLinks } from "./links"
import { IDS_OF_ORDER, REQUESTS } from "./request-sql"

/** An order that owes something, and how it can be paid. */
export interface PayableOrder {
  outstanding: string
  /** The order's collections that wait for a payment and have none, newest first. */
  collectionIds: string[]
  /** The provider of the order's newest crypto payment; null when it has none. */
  providerId: string | null
  /** A payment of it has come and is being settled. */
  isBeingSettled: boolean
}

/** The link that an order's customer has. */
export interface OfferedLink {
  id: string
  session_id: string
  /** It asks for another amount than the order owes now. */
  isOutdated: boolean
}

interface Dependencies {
  knex: Knex
  gateways: GatewayClients
  links: PaymentLinks
  requestCheck: (id: string) => Promise<void>
}

/** The payment links of one order: whether they let it be cancelled, and what becomes of them then. */
export class OrderLinks {
  constructor(private readonly deps: Dependencies) {}

  /**
   * Refuses to let an order be cancelled, or a draft order be deleted, while crypto paid for it is not sent back, or may
   * be paid at this moment: core would book a refund that nobody made, or delete the payment.
   *
   * @returns whether the order has crypto payments at all
   * @throws MedusaError 400 with a sentence that says what to do first
   */
  async refuseWhilePaid(orderId: string, what: "cancel" | "delete"): Promise<boolean> {
    const links = await this.check(orderId)
    for (const { row, failure, isUnknownToGateway } of links) {
      const isUnrefunded = row.paid_at !== null && row.state !== "refunded"
      const mayBePaid = failure !== null && isUnknownToGateway !== true && row.state === "open"
      if ((isUnrefunded || mayBePaid) && (await this.deps.gateways.isProviderMissing(row))) {
        // Neither can its refund be registered, nor its link be read.
        throw providerMissingError(row.provider_id)
      }
      if (isUnrefunded) {
        throw unrefundedError(what)
      }
      if (mayBePaid) {
        throw new MedusaError(
          MedusaError.Types.NOT_ALLOWED,
          failure === "refused"
            ? `The crypto payment service refuses to say whether this order's payment link was paid. Check the connection in Settings, Crypto payments, then ${what} the order.`
            : "The crypto payment service cannot be asked whether this order's payment link was paid. Try again in a minute."
        )
      }
    }
    return links.length > 0
  }

  /**
   * Reads at the gateway each link of an order that may still be paid, and asks for a settle of each that is. One read
   * a link.
   *
   * @param maxAgeMs how old a reading may be to be used instead
   */
  async check(orderId: string, maxAgeMs = 0): Promise<CheckedRow[]> {
    const checked: CheckedRow[] = []
    for (const found of await findRequestsOfOrder(this.deps.knex, orderId)) {
      const isPayable = found.state === "open" || found.state === "superseded"
      const link: CheckedRow = isPayable
        ? await this.deps.gateways.checkUnlessJustRead(found, maxAgeMs)
        : { row: found, failure: null }
      if (link.row.paid_at !== null && found.paid_at === null) {
        await this.deps.requestCheck(found.id)
      }
      checked.push(link)
    }
    return checked
  }

  /** The newest link of an order that is offered: one whose session lives. */
  async findOffered(orderId: string): Promise<OfferedLink | undefined> {
    const { rows } = await this.deps.knex.raw<{
      rows: { id: string; session_id: string; amount: string; payment_collection_id: string }[]
    }>(
      `SELECT r.id, r.session_id, r.amount, s.payment_collection_id FROM ${REQUESTS} r
         JOIN payment_session s ON s.id = r.session_id AND s.deleted_at IS NULL
        WHERE r.id IN (${IDS_OF_ORDER(":orderId")}) AND r.state = 'open'
        ORDER BY r.created_at DESC LIMIT 1`,
      { orderId }
    )
    const [link] = rows
    if (link === undefined) {
      return undefined
    }
    const state = await readCollectionState(this.deps.knex, link.payment_collection_id)
    const asked = state?.link_amount ?? null
    const isOutdated = asked !== null && !amountsEqual(link.amount, asked)
    return { id: link.id, session_id: link.session_id, isOutdated }
  }

  /** @returns undefined when there is no such order, or it is cancelled or owes nothing */
  async findPayable(orderId: string): Promise<PayableOrder | undefined> {
    const { rows } = await this.deps.knex.raw<{ rows: { collection_ids: string[] }[] }>(
      `SELECT ARRAY(
                SELECT pc.id FROM order_payment_collection opc
                  JOIN payment_collection pc ON pc.id = opc.payment_collection_id AND pc.deleted_at IS NULL
                 WHERE opc.order_id = o.id AND opc.deleted_at IS NULL AND pc.status IN ('not_paid', 'awaiting')
                   AND pc.amount > 0
                   AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_collection_id = pc.id AND p.deleted_at IS NULL)
                 ORDER BY pc.created_at DESC) AS collection_ids
         FROM "order" o
        WHERE o.id = ? AND o.deleted_at IS NULL AND o.canceled_at IS NULL AND o.status <> 'canceled'`,
      [orderId]
    )
    const [order] = rows
    const outstanding = (await readBalances(this.deps.knex, [orderId])).get(orderId)?.outstanding ?? "0"
    if (order === undefined || !isMoreThan(outstanding, "0")) {
      return undefined
    }
    const requests = await findRequestsOfOrder(this.deps.knex, orderId)
    const newest = requests.sort((a, b) => b.created_at.getTime() - a.created_at.getTime())[0]
    return {
      outstanding,
      collectionIds: order.collection_ids,
      providerId: newest?.provider_id ?? null,
      isBeingSettled: requests.some(
        ({ state, attention_reason }) => state === "paid" && attention_reason === null
      ),
    }
  }

  /** An order is cancelled: its links are not offered any more, and still watched. */
  async withdraw(orderId: string): Promise<void> {
    for (const { id, session_id } of await findRequestsOfOrder(this.deps.knex, orderId)) {
      await this.deps.links.withdraw(id, session_id)
    }
  }
}
