import type { MedusaRequest, MedusaRequestHandler, MedusaResponse } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../modules/crypto-payments"
import { completionBlockedError, cartChangedError, notAllowed } from "../../modules/crypto-payments/errors"
import { agreesWithSession } from "../../workflows/core/cart-total"
import { findOrderLeftBehind } from "../../workflows/core/orders-left-behind"
import { warn } from "../../workflows/core/settling"
import { settleWorker } from "../../workflows/settle-worker"

const MAY_EXIST = "An order of this cart may exist already. Ask the shop before you order again."
const BEING_SETTLED =
  "The payment of this cart is being checked, or its order is being placed. Try again in a minute."

/** How long a completion waits for a settle of the cart's payment, which places the order. */
const WAIT_MS = 20_000

/**
 * Settles the cart's payment first, which places the order of a paid cart.
 *
 * Refuses to complete a cart for money that was sent back. To core, a refunded payment still looks captured, so core
 * would place the whole order for the rest or for nothing. When an admin user has closed the payment's case, the money
 * may have been sent back or the order shipped by hand. Refuses a cart that asks for another amount or currency than
 * its payment session, which core does not compare. When a dead process may have left the cart's order, another one is
 * not placed.
 */
export const guardCartCompletion: MedusaRequestHandler = async (req, res, next) => {
  const { completions } = resolveLedger(req.scope)
  const cartId = req.params["id"] ?? ""
  if (!(await settleFirst(req, res, cartId))) {
    const block = await completions.readCompletionBlock(cartId)
    if (block !== null) {
      throw completionBlockedError(block)
    }
    if (!(await agreesWithSession(req.scope, cartId))) {
      throw cartChangedError()
    }
    const since = await completions.begin(cartId)
    if (since !== null) {
      await refuseBesideOrder(req.scope, cartId, since)
    }
  }
  next()
}

/**
 * Settles the cart's payment: if it is paid, its order is placed here, and core finds it.
 *
 * @returns whether the order is placed
 * @throws MedusaError 409 while the payment waits for a lock or another settle; 400 `paused`
 */
async function settleFirst(req: MedusaRequest, res: MedusaResponse, cartId: string): Promise<boolean> {
  const { links, requests } = resolveLedger(req.scope)
  const link = await links.findCompletingOfCart(cartId)
  if (link === undefined || link.settled_at !== null || link.order_announced_at !== null) {
    return false
  }
  const asked = { trigger: "provider" } as const
  const end = await settleWorker.settleNow(req.scope, link.id, asked, WAIT_MS, () => res.closed)
  if (end === "left") {
    throw new MedusaError(MedusaError.Types.CONFLICT, BEING_SETTLED)
  }
  return (await requests.require(link.id)).settled_at !== null
}

/** @throws MedusaError when the cart's order may exist already, because a process died while core placed it */
export async function refuseBesideOrder(scope: MedusaContainer, cartId: string, since: Date): Promise<void> {
  const clearance = await findOrderLeftBehind(scope, cartId, since)
  if (clearance === "clear") {
    await resolveLedger(scope).completions.beginAgain(cartId)
    return
  }
  if (clearance === "in_use") {
    throw new MedusaError(MedusaError.Types.CONFLICT, BEING_SETTLED)
  }
  warn(
    scope,
    `crypto payments: cart ${cartId} is not completed, because order ${clearance.leftBehindId} may be its own`
  )
  throw notAllowed(MAY_EXIST)
}
