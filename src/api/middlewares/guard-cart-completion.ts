import { setTimeout as delay } from "node:timers/promises"
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type { CompletionLease } from "../../modules/crypto-payments/payment-requests/completion-lease"
import type { CompletionBar } from "../../modules/crypto-payments/payment-requests/guard-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { clearUnlinkedOrders } from "../../workflows/core/clear-unlinked-orders"
import { settleInTurn } from "../../workflows/settle-queue"

const REFUSALS: Record<CompletionBar, string> = {
  refunded: "The payment of this cart was refunded. Start a new cart to order again.",
  left_to_person: "The shop has taken the payment of this cart in hand. Ask the shop before you order again.",
}

const BEING_PLACED = "The order of this cart is being placed. Try again in a minute."

/** How long a completion waits for a settle of the cart's payment. That settle places the order. */
const WAIT_MS = 20_000
const FIRST_POLL_MS = 20
const SLOWEST_POLL_MS = 250

/**
 * Holds the payment requests of the cart while core completes it, so that no settle completes it at the same time.
 *
 * It refuses to complete the cart for money that is not there any more: a payment that was refunded in full still looks
 * captured to core, which would place the order for nothing; and when a person has closed the case of a payment, the
 * money may have been sent back or the order shipped by hand. An order that a dead process began for the cart is taken
 * back first, or it would stay beside the one that core places now.
 */
export async function guardCartCompletion(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const cartId = req.params["id"] ?? ""
  const lease = await takeRows(ledger, cartId, res)
  if (lease.kind === "nothing") {
    next()
    return
  }
  if (lease.kind === "busy") {
    throw new MedusaError(MedusaError.Types.CONFLICT, BEING_PLACED)
  }
  releaseWhenAnswered(req, res, cartId, lease.leaseId)
  const bar = await ledger.readCompletionBar(cartId)
  if (bar !== null) {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, REFUSALS[bar])
  }
  const clearance = await clearUnlinkedOrders(req.scope, cartId)
  if (clearance.kind === "touched") {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, REFUSALS.left_to_person)
  }
  if (clearance.kind === "in_use") {
    throw new MedusaError(MedusaError.Types.CONFLICT, BEING_PLACED)
  }
  next()
}

async function takeRows(
  ledger: CryptoPaymentsModuleService,
  cartId: string,
  res: MedusaResponse
): Promise<CompletionLease> {
  let lease = await ledger.leaseForCompletion(cartId)
  let pollMs = FIRST_POLL_MS
  for (let waitedMs = 0; lease.kind === "busy" && waitedMs < WAIT_MS && !res.closed; waitedMs += pollMs) {
    pollMs = Math.min(pollMs * 2, SLOWEST_POLL_MS)
    await delay(pollMs)
    lease = await ledger.leaseForCompletion(cartId)
  }
  return lease
}

/** Also when the request is refused, fails, or the client has gone. What came due meanwhile is settled then. */
function releaseWhenAnswered(req: MedusaRequest, res: MedusaResponse, cartId: string, leaseId: string): void {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const release = async (): Promise<void> => {
    for (const id of await ledger.releaseCompletion(cartId, leaseId)) {
      void settleInTurn(req.scope, id, "order_changed")
    }
  }
  const releaseSurely = (): void => {
    // The database may be away for a moment: tried again for as long as the rows would be held.
    release().catch(() => {
      ledger.runningSettles.retry(release)
    })
  }
  if (res.closed) {
    releaseSurely()
  } else {
    res.once("close", releaseSurely)
  }
}
