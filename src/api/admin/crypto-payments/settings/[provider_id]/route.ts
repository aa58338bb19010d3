import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../../modules/crypto-payments"
import { readForm } from "../../../../../modules/crypto-payments/settings/settings-input"
import { answerProblem, found } from "../../respond"
import type { AdminSaveCryptoSettingsType } from "../../settings-validators"

/** One provider's settings. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  res
    .status(200)
    .json(found(await resolveLedger(req.scope).settingsEditor.find(req.params["provider_id"] ?? "")))
}

/** Saves settings; another origin asks for every secret again, and whose the open requests of the former one are. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminSaveCryptoSettingsType>,
  res: MedusaResponse
): Promise<void> {
  const { version, confirm_origin_change, same_account, discard_unreadable_secrets, ...form } =
    req.validatedBody
  const outcome = found(
    await resolveLedger(req.scope).settingsEditor.save(req.params["provider_id"] ?? "", readForm(form), {
      version,
      ...(confirm_origin_change === true
        ? { formerOrigins: same_account === true ? "same_account" : "another_account" }
        : {}),
      discardUnreadableSecrets: discard_unreadable_secrets,
    })
  )
  if ("refusal" in outcome) {
    const { refusal } = outcome
    const isConflict = refusal.code === "stale_version" || refusal.code === "origin_change_unconfirmed"
    answerProblem(res, isConflict ? 409 : 400, { ...refusal })
    return
  }
  res.status(200).json({ ...outcome.saved, warnings: outcome.warnings })
}
