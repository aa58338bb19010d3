import { setTimeout as delay } from "node:timers/promises"
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { resolveLedger } from "../../modules/crypto-payments"
import {
  COMPLETION_LEASE_MS,
  type CompletionBar,
} from "../../modules/crypto-payments/payment-requests/cart-completion"
import { untilTaken } from "../../modules/crypto-payments/until-taken"
import { clearUnlinkedOrders } from "../../workflows/core/clear-unlinked-orders"
import { settleWorker } from "../../workflows/settle-worker"
import { completeWhatRegionDoesNotOffer } from "./complete-what-region-does-not-offer"

const REFUSALS: Record<CompletionBar, string> = {
  refunded: "Money of this cart's payment was sent back. Start a new cart to order again.",
  left_to_person: "The shop is reviewing the payment of this cart. Ask the shop before you order again.",
}

const BEING_PLACED = "The order of this cart is being placed. Try again in a minute."

/** How long a completion waits for a settle of the cart's payment. That settle places the order. */
const WAIT_MS = 20_000
const ANSWER_POLL_MS = 250

/**
 * Holds the payment requests of the cart while core completes it, so that no settle completes it at the same time.
 *
 * It refuses to complete the cart for money that was sent back: a payment that was refunded still looks
 * captured to core, which would place the whole order for the rest or for nothing; and when an admin user has closed the case of a payment,
 * the money may have been sent back or the order shipped by hand. An order that a dead process began for the cart is
 * removed first. Otherwise the cart would have two orders.
 *
 * A cart whose region does not offer the provider any more is completed by settling what was paid for it.
 */
export async function guardCartCompletion(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const ledger = resolveLedger(req.scope)
  const cartId = req.params["id"] ?? ""
  if (await completeWhatRegionDoesNotOffer(req, res, cartId)) {
    return
  }
  const lease = await ledger.runningSettles.finish(async () => {
    const taken = await untilTaken(
      async () => await ledger.completions.take(cartId),
      WAIT_MS,
      () => res.closed
    )
    if (taken?.kind === "taken") {
      releaseWhenAnswered(req, res, cartId, taken.leaseId)
    }
    return taken
  })
  if (lease === undefined) {
    throw new MedusaError(MedusaError.Types.CONFLICT, BEING_PLACED)
  }
  if (lease.kind === "nothing") {
    next()
    return
  }
  const bar = await ledger.completions.readBar(cartId)
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

/**
 * Also if the request is refused or fails. When the client disconnects, core completes the cart all the same: the rows
 * are held until it has written its answer, to nobody. Rows that became due meanwhile are settled then.
 */
function releaseWhenAnswered(req: MedusaRequest, res: MedusaResponse, cartId: string, leaseId: string): void {
  const ledger = resolveLedger(req.scope)
  const release = async (): Promise<void> => {
    await ledger.runningSettles.finish(async () => {
      await ledger.completions.release(cartId, leaseId)
      settleWorker.wake(req.scope)
    })
  }
  const releaseSurely = (): void => {
    // The database may be unavailable for a moment: tried again for as long as the rows would be held.
    release().catch(() => {
      ledger.runningSettles.retry(release)
    })
  }
  const whenAnswered = async (): Promise<void> => {
    for (let waitedMs = 0; !res.writableEnded && waitedMs < COMPLETION_LEASE_MS; waitedMs += ANSWER_POLL_MS) {
      await delay(ANSWER_POLL_MS, undefined, { ref: false })
    }
    releaseSurely()
  }
  if (res.closed) {
    void whenAnswered()
  } else {
    res.once("close", () => void whenAnswered())
  }
}
