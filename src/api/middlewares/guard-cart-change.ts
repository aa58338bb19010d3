import type { MedusaRequest, MedusaRequestHandler } from "@medusajs/framework/http"
import { resolveLedger } from "../../modules/crypto-payments"
import { alreadyPaidError, partArrivedError } from "../../modules/crypto-payments/errors"
import { isReported, isRestAwaited } from "../../modules/crypto-payments/payment-requests/session-status"
import { asRecord } from "../../modules/crypto-payments/settings/registrations"
import { queryStore } from "../../modules/crypto-payments/store-query"
import { agreesWithSession } from "../../workflows/core/cart-total"
import { refuseBesideOrder } from "./guard-cart-completion"

const IS_COMPLETION = /^\/complete\/?$/i
/** What these change, a payment of the cart cannot follow. Below `/store/carts/:id`. */
const CHANGES_TOTAL = /^\/(?:line-items|promotions|taxes)(?:\/|$)/i
/** The same for fields of the cart. */
const FIXED_FIELDS = ["promo_codes", "sales_channel_id"]
/** These make another customer the buyer. */
const BUYER_FIELDS = ["email", "customer_id"]

/**
 * A cart whose payment session is paid, also in part, or reported as paid, keeps its items, region and total, until the payment is
 * refunded. What the cart needs to become an order can still be added. A request that would change its total in another
 * way, by an address with other taxes, is refused by core: the provider does not delete a paid session. Core only asks
 * it when the payment collection and the cart differ, so they are brought in line first, also of an unpaid link.
 */
export const guardCartChange: MedusaRequestHandler = async (req, _res, next) => {
  const cartId = req.params["id"] ?? ""
  if (["GET", "HEAD", "OPTIONS"].includes(req.method) || IS_COMPLETION.test(req.path)) {
    next()
    return
  }
  const { links } = resolveLedger(req.scope)
  const link = await links.findCompletingOfCart(cartId)
  if (link === undefined) {
    next()
    return
  }
  const isPaid = link.paid_at !== null || isReported(link)
  if (
    (isPaid || isRestAwaited(link)) &&
    (CHANGES_TOTAL.test(req.path) || (await changesFixedField(req, cartId)))
  ) {
    throw isPaid ? alreadyPaidError() : partArrivedError()
  }
  if (link.completion_began_at !== null && changesBuyer(req)) {
    // An order that a dead process began is known by its buyer.
    await refuseBesideOrder(req.scope, cartId, link.completion_began_at)
  }
  await agreesWithSession(req.scope, cartId)
  next()
}

function changesBuyer({ path, body }: MedusaRequest): boolean {
  const fields = asRecord(body)
  return path !== "/"
    ? /^\/customer\/?$/i.test(path)
    : BUYER_FIELDS.some((field) => fields[field] !== undefined)
}

async function changesFixedField({ path, body }: MedusaRequest, cartId: string): Promise<boolean> {
  const { region_id, ...fields } = asRecord(body)
  if (path !== "/") {
    return false
  }
  if (region_id !== undefined) {
    const [cart] = await queryStore<{ region_id: unknown }>("cart", ["region_id"], { id: cartId })
    if (cart?.region_id !== region_id) {
      return true
    }
  }
  return FIXED_FIELDS.some((field) => fields[field] !== undefined)
}
