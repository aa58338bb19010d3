import { describeProblem, gives, type EffectiveSettings } from "./effective-settings"
import { KEY_MESSAGES, readEncryptionKeys } from "./encryption-keys"
import { addressBelow } from "./public-address"
import { ALL_SETTINGS, type SettingValues } from "./setting"
import type { FormerOrigin, OpenRequests } from "./settings-store"

/** A setting in force and its source; medusa-config's value is locked. */
export interface Field<T> {
  value: T
  source: "config" | "stored" | "default"
  locked: boolean
}

/** @see docs/admin-api.md, "Settings" */
export function viewSettings(effective: EffectiveSettings, open: OpenRequests[]) {
  const { providerId, registration, stored, secrets, problem, missing, isConfigured } = effective
  const { path, url } = webhookOf(providerId, effective.public_url)
  const fields = ALL_SETTINGS.map(([name, { given }]) => {
    const isConfigs = gives(registration, name)
    const source = isConfigs ? "config" : gives(stored, name) ? "stored" : "default"
    return [name, { value: effective[name], source, locked: isConfigs || given === "config" }]
  })
  return {
    provider_id: providerId,
    version: stored.version,
    updated_at: stored.updated_at,
    configured: isConfigured,
    missing,
    problem: describeProblem(problem),
    problem_code: problem,
    webhook_path: path,
    webhook_url: url,
    fields: Object.fromEntries(fields) as { [Name in keyof SettingValues]: Field<SettingValues[Name]> },
    secrets: Object.fromEntries(
      [...secrets].map(([name, secret]) => [
        name,
        {
          is_set: secret.source !== null,
          source: secret.source,
          locked: secret.source === "config",
          ...(secret.isUnreadable ? { unreadable: true } : {}),
          ...(secret.values.length > 1 ? { former_accepted: true } : {}),
        },
      ])
    ),
    former_origins: listFormerOrigins(effective, open),
  }
}

/** The state of the encryption key, with a sentence that says what to do. */
export function viewEncryptionKey(all: EffectiveSettings[]) {
  const { state: given } = readEncryptionKeys()
  const isWrong =
    given === "present" &&
    all.some(({ secrets }) => [...secrets.values()].some((secret) => secret.isUnreadable))
  const state: keyof typeof KEY_MESSAGES = isWrong ? "wrong" : given
  return { state, message: KEY_MESSAGES[state] }
}

/** Other addresses than the one in use, with open requests of the provider. */
export function listFormerOrigins(
  { providerId, origin: current }: EffectiveSettings,
  open: OpenRequests[]
): FormerOrigin[] {
  return open.flatMap(({ provider_id, ...of }) =>
    current !== null && provider_id === providerId && of.origin !== current ? of : []
  )
}

/** The path of a provider's webhook, and its whole address when the store's public one is known. */
export function webhookOf(providerId: string, publicUrl: string | null) {
  const path = `/hooks/payment/${providerId.replace(/^pp_/, "")}`
  return { path, url: publicUrl && addressBelow(publicUrl, path) }
}
