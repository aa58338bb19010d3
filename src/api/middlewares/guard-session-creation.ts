import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { Modules } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import { beingStartedError } from "../../modules/crypto-payments/errors"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { lowerToWhatIsOwed } from "../../workflows/core/renew-link"
import { whileLocked } from "../../workflows/core/while-locked"

const PROVIDER_PREFIX = "pp_crypto_"
/** Longer than one session creation with a slow gateway takes. */
const WAIT_S = 20
const MAX_HOLD_MS = 60_000

/**
 * Guards the routes that create payment sessions. For other providers it only lets go of what a provider has left that is
 * not registered any more; for our providers it does the following.
 *
 * What the client sends as `data` is hostile: core keeps it beside what the provider returns. Core takes no lock, so
 * parallel requests would leave several live sessions; here they queue per collection. And core deletes the paid
 * session of a collection beside creating a new one, so what cannot succeed is refused first.
 */
export async function guardSessionCreation(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const collectionId = req.params["id"] ?? ""
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  await ledger.letGoOfMissingProviders(collectionId)
  const bodies = [req.body, req.validatedBody].filter(isRecord)
  const providerId = bodies
    .map(({ provider_id }) => String(provider_id))
    .find((id) => id.startsWith(PROVIDER_PREFIX))
  if (providerId === undefined) {
    next()
    return
  }
  for (const body of bodies) {
    delete body["data"]
  }
  const turn = await whileLocked(req.scope, `crypto:${collectionId}`, WAIT_S, async () => {
    if (res.closed || req.socket.destroyed) {
      return // The client left the queue: its response will not close again.
    }
    const state = await ledger.refuseWhatCannotSucceed(collectionId, providerId)
    if (state !== undefined) {
      await lowerToWhatIsOwed(req.scope.resolve(Modules.PAYMENT), collectionId, state)
    }
    await untilAnswered(res, next)
  })
  if (turn === undefined) {
    throw beingStartedError()
  }
}

async function untilAnswered(res: MedusaResponse, next: MedusaNextFunction): Promise<void> {
  await new Promise<void>((resolve) => {
    const limit = setTimeout(resolve, MAX_HOLD_MS)
    res.once("close", () => {
      clearTimeout(limit)
      resolve()
    })
    next()
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
