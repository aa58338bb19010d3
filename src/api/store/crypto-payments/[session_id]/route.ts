import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../../../modules/crypto-payments"
import {
  hasAttemptFailed,
  isUnderReview,
  toShopperStatus,
  type SessionStatusRow,
  type ShopperStatus,
} from "../../../../modules/crypto-payments/payment-requests/session-status"
import { settleWorker } from "../../../../workflows/settle-worker"
import type { StoreCryptoPaymentParams } from "../validators"

/** Seconds after which asking again can give a new answer. */
const RETRY_AFTER_S = 2

/** The cart's id. In the query it appears in access logs, and whoever reads them could open the cart. */
const CART_HEADER = "x-cart-id"

/**
 * What Medusa's ids are made of, up to what a gateway appended to a URL that had a query; anything else is no session,
 * and not Postgres' to stumble over.
 */
const SESSION_ID_PATTERN = /^\w{1,100}(?=[?&]|$)/

interface StoreCryptoPayment {
  status: ShopperStatus
  payment_link?: string
  order_id?: string
  review?: true
  refunded?: true
  /** The gateway says that the last attempt to pay ended without a payment. Another attempt gets a new link. */
  attempt_failed?: true
  /** An order was placed and waits for this payment. */
  order_kept?: true
  /** Until when that order can be paid: ISO 8601. Absent without a limit. */
  pay_until?: string
}

/**
 * What a return page polls: of a cart one read by an index, of an order that waits for its payment a few more. The
 * first poll, and one in a while after it, makes the request due, so that a payer who returns is not kept waiting by a
 * lost notification. The gateway is asked by settling, not by the poll, and polls cause at most 60 such settles a
 * minute. Neither Redis nor the gateway keeps the payer waiting.
 *
 * An answer with `Retry-After` is not final. That goes for `failed` too: an old link stays payable at the gateway, so
 * it is final only once the gateway was asked after the payer's return.
 *
 * Of an order that was changed while it waits for its payment, the answer is about the link of what it owes now. While
 * there is no such link, the answer has none: a settle makes it, and a later poll gets it.
 *
 * An order id opens the order in Medusa, and a link names its payer's purchase, so both are given only to who knows the
 * cart's id or is logged in as its customer. The id comes in the header `x-cart-id`; `cart_id` in the query is taken
 * until the next minor version.
 *
 * 200 · 404 no such session
 */
export async function GET(
  req: AuthenticatedMedusaRequest<unknown, StoreCryptoPaymentParams>,
  res: MedusaResponse<StoreCryptoPayment>
): Promise<void> {
  // First: a proxy may store a 404 as well, and the session's payment may be there a moment later.
  res.set("Cache-Control", "no-store")
  const ledger = resolveLedger(req.scope)
  const [sessionId] = SESSION_ID_PATTERN.exec(req.params["session_id"] ?? "") ?? []
  const found = sessionId === undefined ? undefined : await ledger.sessions.read(sessionId)
  if (found === undefined) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, "There is no crypto payment for this session.")
  }
  // First, since a link that is asked for is due then, and need not become due twice.
  const row = await currentLink(req.scope, found)
  // No payment is expected for a closed link, so the schedule checks it.
  if ((await ledger.checks.makeReturnedDue(found)) && found.state !== "closed") {
    settleWorker.wake(req.scope)
  }
  const status = toShopperStatus(row)
  const orderId = status !== "paid" ? null : orderOf(row)
  const customerId = (req as Partial<AuthenticatedMedusaRequest>).auth_context?.actor_id
  const isOwner = isOwnedBy(row, req.get(CART_HEADER) ?? req.validatedQuery.cart_id, customerId)
  // A link that is not needed any more may have been paid a moment ago, which needs another answer.
  const isKnown = row.paid_at !== null || !row.is_stale
  const isFinal = isKnown && ((status === "paid" && orderId !== null) || status === "failed")
  // Across origins a browser shows a page only those headers that are named here.
  res.append("Access-Control-Expose-Headers", "Retry-After")
  if (!isFinal) {
    res.set("Retry-After", String(RETRY_AFTER_S))
  }
  // The time names neither the order nor its payer, so it is given to everybody who knows the session.
  const isKept =
    row.unpaid_order_id !== null &&
    !row.is_paid_another_way &&
    (status === "awaiting_payment" || status === "failed")
  res.status(200).json({
    status,
    ...(isOwner && status === "awaiting_payment" && row.payment_link !== null
      ? { payment_link: row.payment_link }
      : {}),
    ...(isOwner && orderId !== null ? { order_id: orderId } : {}),
    // Money that was sent back needs no review, whatever case it had.
    ...(row.state === "refunded" ? { refunded: true } : isUnderReview(row) ? { review: true } : {}),
    ...(hasAttemptFailed(row) ? { attempt_failed: true } : {}),
    ...(isKept ? { order_kept: true } : {}),
    ...(isKept && row.pay_until !== null ? { pay_until: row.pay_until.toISOString() } : {}),
  })
}

function orderOf({
  is_paid_another_way,
  settled_at,
  order_id,
  placed_order_id,
}: SessionStatusRow): string | null {
  if (is_paid_another_way) {
    return placed_order_id
  }
  return settled_at === null ? null : order_id
}

function isOwnedBy(
  row: SessionStatusRow,
  cartId: string | undefined,
  customerId: string | undefined
): boolean {
  return (
    (cartId !== undefined && cartId === row.cart_id) ||
    (customerId !== undefined &&
      customerId !== "" &&
      (customerId === row.cart_customer_id || customerId === row.order_customer_id))
  )
}

/**
 * The row whose link the shopper of an unpaid order may be shown: of an order that was changed, the one of what it owes
 * now, whichever of its sessions the shopper's page knows.
 *
 * A link that asks for another amount is not shown. That a new one was asked for is written down here, and a settle
 * replaces the link; nothing waits for that. The page asks again, and then gets the new link.
 *
 * @returns the row itself for a cart and for a link that was paid; the row of a link that is being replaced, and the
 *   row itself when the order has no link, both without a link
 */
async function currentLink(container: MedusaContainer, row: SessionStatusRow): Promise<SessionStatusRow> {
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
