import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../modules/crypto-payments"
import { notFound } from "../../../../modules/crypto-payments/errors"
import {
  isEndWord,
  isOrderKept,
  isPartTold,
  isStranded,
  isUnderReview,
  isUnderWay,
  toShopperStatus,
  type SessionStatusRow,
} from "../../../../modules/crypto-payments/payment-requests/session-status"
import type CryptoPaymentsModuleService from "../../../../modules/crypto-payments/service"
import { settleWorker } from "../../../../workflows/settle-worker"

/** Seconds after which a new answer is possible. */
const RETRY_AFTER_S = 2

/** The cart's or the order's id. A query appears in access logs, and their readers could open the cart. */
const CART_HEADER = "x-cart-id"

/** Medusa's ids, up to what a gateway appended to a URL with a query. Postgres might refuse anything else. */
const SESSION_ID_PATTERN = /^\w{1,100}(?=[?&]|$)/

/**
 * What a return page polls: one indexed read for a cart, a few more for an order that waits for its payment. The first
 * poll, and then one in a while, makes the request due, so that a lost notification does not keep the payer waiting. A
 * settle asks the gateway, not the poll. The answer waits neither for Redis nor for the gateway.
 *
 * An answer with `Retry-After` is not final. Even `failed` is final only once the gateway was asked after the payer's
 * return, because an old link can still be paid.
 *
 * If an unpaid order was changed, the answer is about the link of what it owes now. Until somebody has asked for that
 * link (the payment step, the pay page, the merchant), the answer has none.
 *
 * An order id opens the order in Medusa, and a link shows the payer's purchase. So both are given only to a client that
 * knows the cart's or the order's id or is logged in as its customer. The id comes in the header `x-cart-id`.
 *
 * 200 · 404 no such session
 */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  // First: a proxy may store a 404 too, and the session may have a payment a moment later.
  res.set("Cache-Control", "no-store")
  const ledger = resolveLedger(req.scope)
  const [sessionId] = SESSION_ID_PATTERN.exec(req.params["session_id"] ?? "") ?? []
  const found = sessionId === undefined ? undefined : await ledger.sessions.read(sessionId)
  if (found === undefined) {
    throw notFound("There is no crypto payment for this session.")
  }
  const row = await currentLink(ledger, found)
  // Nobody expects a payment for a closed link, so the schedule checks it.
  if (found.is_stale && (await ledger.queue.makeReturnedDue(found.id)) && found.state !== "closed") {
    settleWorker.wake(req.scope)
  }
  const status = toShopperStatus(row)
  const placedId = row.is_order_covered ? row.placed_order_id : row.settled_at && row.order_id
  // Nobody but staff can read a draft. To say that a cancelled order is placed would be wrong.
  const isShown = !row.is_draft_order && !row.is_order_canceled
  const orderId = status === "paid" && isShown ? placedId : null
  const customerId = (req as Partial<AuthenticatedMedusaRequest>).auth_context?.actor_id
  const known = req.get(CART_HEADER)
  const isOwner =
    (known !== undefined && [row.cart_id, row.placed_order_id].includes(known)) ||
    (!!customerId && [row.cart_customer_id, row.order_customer_id].includes(customerId))
  // A link that is not needed any more may have just been paid, which needs another answer.
  const isKnown = row.paid_at !== null || !row.is_stale
  const isOver = status === "failed" && !isUnderWay(row)
  const isFinal = isKnown && ((status === "paid" && orderId !== null) || isOver)
  // Across origins, browsers show a page only the headers that are named here.
  res.append("Access-Control-Expose-Headers", "Retry-After")
  if (!isFinal) {
    res.set("Retry-After", String(RETRY_AFTER_S))
  }
  // This names neither the order nor its payer, so everybody who knows the session gets it.
  const isKept = isOrderKept(row)
  // Nobody is to pay for it any more.
  const isCanceled = status === "failed" && row.is_order_canceled
  const hasPartArrived = status === "awaiting_payment" && isPartTold(row)
  res.status(200).json({
    status,
    ...(isOwner && status === "awaiting_payment" && row.payment_link !== null
      ? { payment_link: row.payment_link }
      : {}),
    ...(isOwner && orderId !== null ? { order_id: orderId } : {}),
    // Refunded money needs no review, whatever case it had.
    ...(row.state === "refunded"
      ? { refunded: true }
      : isUnderReview(row) ||
          (row.paid_at !== null && row.is_draft_order) ||
          (status === "processing" && isStranded(row))
        ? { review: true }
        : {}),
    // Another attempt gets a new link.
    ...(status === "failed" && isEndWord(row) && !isCanceled ? { attempt_failed: true } : {}),
    // The rest is paid by the same link, and the order is kept until then.
    ...(hasPartArrived ? { part_arrived: true } : {}),
    ...(isKept ? { order_kept: true } : {}),
    ...(isCanceled ? { order_canceled: true } : {}),
    ...(isKept && !hasPartArrived && status !== "processing" && row.pay_until !== null
      ? { pay_until: row.pay_until.toISOString() }
      : {}),
  })
}

/**
 * The row whose link the shopper of an unpaid order may be shown. For a changed order, that is the link of what it owes
 * now, whichever of its sessions the page knows. A link with another amount is not shown.
 *
 * @returns the row itself for a cart, for a paid link and for one that somebody pays; the row of money of the order
 *   that is looked at; without a link, the row that asks for another amount, or the row itself when the order has no
 *   link
 */
async function currentLink(
  ledger: CryptoPaymentsModuleService,
  row: SessionStatusRow
): Promise<SessionStatusRow> {
  const orderId = row.unpaid_order_id
  if (orderId === null) {
    return row
  }
  const link = await ledger.orderLinks.findOffered(orderId, row.payment_collection_id)
  const holding =
    isUnderWay(row) || row.is_order_covered ? undefined : await ledger.orderLinks.findHolding(orderId)
  const held = holding && (await ledger.sessions.readRow(holding.id))
  const shown = isUnderWay(row) ? row : held && { ...held, cart_id: row.cart_id }
  if (shown !== undefined) {
    const isOffered = shown.paid_at !== null || (link?.id === shown.id && !link.isOutdated)
    return isOffered ? shown : { ...shown, state: "superseded", payment_link: null }
  }
  if (link === undefined) {
    return { ...row, payment_link: null }
  }
  const isOwn = link.id === row.id && row.state === "open"
  const current = isOwn ? row : ((await ledger.sessions.read(link.session_id)) ?? row)
  return { ...current, cart_id: row.cart_id, payment_link: link.isOutdated ? null : current.payment_link }
}
