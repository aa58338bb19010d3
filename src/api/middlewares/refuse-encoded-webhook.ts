import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

/** What core would hand to one of our providers. It puts `pp_` before a name that does not begin with it. */
const OURS = /^(?:pp_)?crypto_/i

/**
 * Refuses what core's webhook route would pass on to one of our providers although `receiveNotification` was not asked:
 * a path that spells the provider with percent signs, such as `crypto%5Fdefault`. Core's route answers 200 to anything.
 *
 * It has exactly the path of core's route, so it sees the same requests with the same decoded name. A plain spelling
 * never gets here, because Medusa sorts `crypto_:id` before `:provider`.
 */
export function refuseEncodedWebhook(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): void {
  if (!OURS.test(req.params["provider"] ?? "")) {
    next()
    return
  }
  res.status(404).json({
    type: MedusaError.Types.NOT_FOUND,
    message: "There is no such webhook. Use the address that the admin shows.",
  })
}
