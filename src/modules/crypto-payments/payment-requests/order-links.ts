import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { MedusaError } from "@medusajs/framework/utils"
import { providerMissingError, unrefundedError } from "../errors"
import type { CheckedRow, GatewayClients } from "../gateway-clients"
import { findRequestsOfOrder } from "./guard-facts"
import type { PaymentLinks } from "./links"

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

  /** An order is cancelled: its links are not offered any more, and still watched. */
  async withdraw(orderId: string): Promise<void> {
    for (const { id, session_id } of await findRequestsOfOrder(this.deps.knex, orderId)) {
      await this.deps.links.withdraw(id, session_id)
    }
  }
}
