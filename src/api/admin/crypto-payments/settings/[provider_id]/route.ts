import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import type { SaveSettings } from "../../../../../http-contract"
import { resolveLedger } from "../../../../../modules/crypto-payments"
import { answer, found } from "../../respond"

/** One provider's settings. */
export const GET = answer(async (req) =>
  found(await resolveLedger(req.scope).settingsEditor.find(req.params["provider_id"] ?? ""))
)

/** Saves settings; another origin asks for every secret again, and whose the open requests of the former one are. */
export const POST = answer(async (req: AuthenticatedMedusaRequest<SaveSettings>) =>
  found(
    await resolveLedger(req.scope).settingsEditor.save(req.params["provider_id"] ?? "", req.validatedBody)
  )
)
