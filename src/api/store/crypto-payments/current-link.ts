import type { MedusaContainer } from "@medusajs/framework/types"
import { resolveLedger } from "../../../modules/crypto-payments"
import type { SessionStatusRow } from "../../../modules/crypto-payments/payment-requests/session-status"
import { settleWorker } from "../../../workflows/settle-worker"

/**
 * The row whose link the shopper of an unpaid order may be shown: of an order that was changed, the one of what it owes
 * now, whichever of its sessions the shopper's page knows.
 *
 * A link that asks for another amount is not shown. That a new one was asked for is written down here, and a settle
 * replaces the link; nothing waits for that. The page asks again, and then gets the new link.
 *
 * @returns the row itself for a cart and for a link that was paid; the row of a link that is being replaced, and the row
 *   itself when the order has no link, both without a link
 */
export async function currentLink(
  container: MedusaContainer,
  row: SessionStatusRow
): Promise<SessionStatusRow> {
  const orderId = row.unpaid_order_id
  if (orderId === null) {
    return row
  }
  const ledger = resolveLedger(container)
  const link = await ledger.orderLinks.findOffered(orderId)
  if (link === undefined) {
    return { ...row, payment_link: null }
  }
  if (link.isOutdated && (await ledger.changedOrders.askForLink(link.id))) {
    settleWorker.wake(container)
  }
  // The row was read a moment ago.
  const isOwn = link.id === row.id && row.state === "open"
  const current = isOwn ? row : ((await ledger.sessions.read(link.session_id)) ?? row)
  return {
    ...current,
    cart_id: row.cart_id,
    payment_link: link.isOutdated ? null : current.payment_link,
  }
}
