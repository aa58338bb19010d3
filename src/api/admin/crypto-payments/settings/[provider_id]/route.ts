import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../../modules/crypto-payments"
import { readForm } from "../../../../../modules/crypto-payments/settings/settings-input"
import { answerProblem, found } from "../../respond"
import type { AdminSaveCryptoSettingsType } from "../../settings-validators"

/** One provider's settings. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  res.status(200).json(found(await resolveLedger(req.scope).desk.find(req.params["provider_id"] ?? "")))
}

/** Saves settings; another origin asks for every secret again, and with open rows for a confirmation. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminSaveCryptoSettingsType>,
  res: MedusaResponse
): Promise<void> {
  const { version, confirm_origin_change, discard_unreadable_secrets, ...form } = req.validatedBody
  const outcome = found(
    await resolveLedger(req.scope).desk.save(req.params["provider_id"] ?? "", readForm(form), {
      version,
      confirmOriginChange: confirm_origin_change,
      discardUnreadableSecrets: discard_unreadable_secrets,
    })
  )
  if ("refusal" in outcome) {
    const { refusal } = outcome
    const isConflict = refusal.code === "stale_version" || refusal.code === "origin_change_unconfirmed"
    answerProblem(res, isConflict ? 409 : 400, { ...refusal })
    return
  }
  res
    .status(200)
    .json({ ...outcome.saved, rows_left_at_former_origin: outcome.rowsLeft, warnings: outcome.warnings })
}
