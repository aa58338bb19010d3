import { setTimeout as delay } from "node:timers/promises"
import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../../modules/crypto-payments"
import { describeError } from "../../../modules/crypto-payments/errors"
import type { SessionStatusRow } from "../../../modules/crypto-payments/payment-requests/session-status"
import type CryptoPaymentsModuleService from "../../../modules/crypto-payments/service"
import { renewLink } from "../../../workflows/core/renew-link"

/** How long an answer waits for a link to be replaced. After that the shopper's page asks again. */
const WAIT_MS = 4000
const POLL_MS = 200

/**
 * The row whose link the shopper of an unpaid order may be shown: of an order that was changed, the one of what it owes
 * now, whichever of its sessions the shopper's page knows. A link that asks for another amount is replaced here and now.
 *
 * @returns the row itself for a cart, for a link that was paid, and when the order has no link of the right amount; then
 *   without its link
 */
export async function currentLink(
  container: MedusaContainer,
  row: SessionStatusRow
): Promise<SessionStatusRow> {
  const orderId = row.unpaid_order_id
  if (orderId === null) {
    return row
  }
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const link = await ledger.findOfferedOfOrder(orderId)
    if (link === undefined) {
      return { ...row, payment_link: null }
    }
    if (!link.isOutdated) {
      const current = await ledger.readSessionStatus(link.session_id)
      return { ...(current ?? row), cart_id: row.cart_id }
    }
    if (waitedMs >= WAIT_MS) {
      return { ...row, payment_link: null }
    }
    if (await ledger.changedOrders.makeOutdatedLinkDue(link.id)) {
      await replace(container, ledger, link.id)
      continue
    }
    await delay(POLL_MS)
  }
}

async function replace(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  id: string
): Promise<void> {
  try {
    await renewLink(container, await ledger.requests.require(id))
  } catch (error) {
    // The gateway fails, say. The shopper's page asks again, and nothing is offered until then.
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn(`crypto payment ${id}: its link was not replaced (${describeError(error)})`)
  }
}
