import { once } from "node:events"
import type { MedusaRequestHandler } from "@medusajs/framework/http"
import { resolveLedger } from "../../modules/crypto-payments"
import { beingStartedError } from "../../modules/crypto-payments/errors"
import { PROVIDER_PREFIX } from "../../modules/crypto-payments/settings/names"
import { asRecord } from "../../modules/crypto-payments/settings/registrations"
import { alignWithCart } from "../../workflows/core/cart-total"
import { deleteSessionsOfMissingProviders } from "../../workflows/core/missing-providers"
import { askForWhatIsOwed, withSessionLock } from "../../workflows/core/payment-collections"

const MAX_HOLD_MS = 60_000

/**
 * Guards the routes that create payment sessions. For other providers it only deletes sessions of providers that are
 * not registered any more. For ours:
 *
 * - Drops the client's `data`, which is hostile: core stores it together with what the provider returns.
 * - Queues requests per collection: core takes no lock, and parallel requests would leave several live sessions.
 * - Has the collection ask for what its cart costs: a change of the cart that failed may have left another amount. An
 *   order's collection asks for no more than the order owes.
 * - Refuses what cannot succeed: core deletes the collection's paid session while it creates a new one. So it does while
 *   other money of the order is booked or looked at.
 */
export const guardSessionCreation: MedusaRequestHandler = async (req, res, next) => {
  const collectionId = req.params["id"] ?? ""
  const ledger = resolveLedger(req.scope)
  const bodies = [req.body, req.validatedBody].map(asRecord)
  const providerId = bodies
    .map(({ provider_id }) => provider_id)
    .find((id): id is string => typeof id === "string" && id.startsWith(PROVIDER_PREFIX))
  if (providerId === undefined) {
    await deleteSessionsOfMissingProviders(req.scope, collectionId)
    next()
    return
  }
  for (const body of bodies) {
    delete body["data"]
  }
  const held = await withSessionLock(req.scope, collectionId, async () => {
    if (res.closed || req.socket.destroyed) {
      return // The client left the queue: its response will not close again.
    }
    // Core's own answer, or its end without one, also when the client leaves before core is asked.
    const answered = once(res, "close", { signal: AbortSignal.timeout(MAX_HOLD_MS) }).catch(() => undefined)
    await deleteSessionsOfMissingProviders(req.scope, collectionId)
    const isAligned = await alignWithCart(req.scope, collectionId)
    const facts = await ledger.issuer.assertPayable(collectionId, providerId)
    if (!isAligned) {
      throw beingStartedError()
    }
    await askForWhatIsOwed(req.scope, collectionId, facts)
    if (facts?.order_id != null) {
      await ledger.orderLinks.refuseWhileHeld(facts.order_id)
    }
    next()
    await answered
  })
  if (held === undefined) {
    throw beingStartedError()
  }
}
