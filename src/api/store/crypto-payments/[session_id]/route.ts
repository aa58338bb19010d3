import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../../../modules/crypto-payments"
import type { SessionStatusRow } from "../../../../modules/crypto-payments/payment-requests/session-status"
import {
  hasAttemptFailed,
  isUnderReview,
  toShopperStatus,
  type ShopperStatus,
} from "../../../../modules/crypto-payments/payment-requests/session-status"
import type CryptoPaymentsModuleService from "../../../../modules/crypto-payments/service"
import { settleInTurn } from "../../../../workflows/settle-queue"
import { currentLink } from "../current-link"
import type { StoreCryptoPaymentParams } from "../validators"

/** Seconds after which asking again can tell something new. */
const RETRY_AFTER_S = 2

/** What Medusa's ids are made of; anything else is no session, and not Postgres' to stumble over. */
const SESSION_ID_PATTERN = /^[A-Za-z0-9_]{1,100}$/

interface StoreCryptoPayment {
  status: ShopperStatus
  payment_link?: string
  order_id?: string
  review?: true
  refunded?: true
  /** The gateway says that the last attempt to pay ended without a payment. Another attempt gets a new link. */
  attempt_failed?: true
}

/**
 * What a return page polls: one indexed read. The first poll, and one in a while after it, makes the request due, so
 * that a payer who returns is not kept waiting by a lost notification. The gateway is asked by settling, not by the
 * poll, and polls cause at most 60 such settles a minute.
 *
 * An answer with `Retry-After` is not final. That goes for `failed` too: an old link stays payable at the gateway, so it is
 * final only once the gateway was asked after the payer's return.
 *
 * Of an order that was changed while it waits for its payment, the answer is about the link of what it owes now.
 *
 * An order id opens the order in Medusa, and a link names its payer's purchase, so both are given only to who knows the
 * cart's id or is logged in as its customer.
 *
 * 200 · 404 no such session
 */
export async function GET(
  req: AuthenticatedMedusaRequest<unknown, StoreCryptoPaymentParams>,
  res: MedusaResponse<StoreCryptoPayment>
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const sessionId = req.params["session_id"] ?? ""
  const found = SESSION_ID_PATTERN.test(sessionId) ? await ledger.readSessionStatus(sessionId) : undefined
  if (found === undefined) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, "There is no crypto payment for this session.")
  }
  // Nobody waits for a closed link, so the schedule looks at it.
  if ((await ledger.makeReturnedDue(found)) && found.state !== "closed") {
    // Neither Redis nor the gateway keeps the payer waiting.
    void settleInTurn(req.scope, found.id, "return")
  }
  const row = await currentLink(req.scope, found)
  const status = toShopperStatus(row)
  const orderId = status !== "paid" ? null : orderOf(row)
  const customerId = (req as Partial<AuthenticatedMedusaRequest>).auth_context?.actor_id
  const isOwner = isOwnedBy(row, req.validatedQuery.cart_id, customerId)
  res.set("Cache-Control", "no-store")
  // A link that is not needed any more may have been paid a moment ago, which needs another answer.
  const isKnown = row.paid_at !== null || !row.is_stale
  const isFinal = isKnown && ((status === "paid" && orderId !== null) || status === "failed")
  // Across origins a browser shows a page only those headers that are named here.
  res.append("Access-Control-Expose-Headers", "Retry-After")
  if (!isFinal) {
    res.set("Retry-After", String(RETRY_AFTER_S))
  }
  res.status(200).json({
    status,
    ...(isOwner && status === "awaiting_payment" && row.payment_link !== null
      ? { payment_link: row.payment_link }
      : {}),
    ...(isOwner && orderId !== null ? { order_id: orderId } : {}),
    // Money that is back leaves nothing to look at, whatever case there was of it.
    ...(row.state === "refunded" ? { refunded: true } : isUnderReview(row) ? { review: true } : {}),
    ...(hasAttemptFailed(row) ? { attempt_failed: true } : {}),
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
