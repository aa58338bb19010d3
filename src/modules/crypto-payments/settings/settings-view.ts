import type { CryptoSettings, EncryptionKeyState, FormerOrigin } from "../../../http-contract"
import { describeProblem, type EffectiveSettings } from "./effective-settings"
import { ENCRYPTION_KEY_VARIABLE, type EncryptionKeys } from "./encryption-keys"
import type { OpenRequests } from "./settings-store"

/** A provider's settings for an admin user; of secrets only whether they exist. */
export type SettingsView = Omit<CryptoSettings, "updated_at"> & { updated_at: Date | null }

const HOW_TO_MAKE = "make one with `openssl rand -base64 32` and give it to every instance"
const KEY_MESSAGES = {
  present: null,
  missing: `${ENCRYPTION_KEY_VARIABLE} is not set, so secrets cannot be saved here: ${HOW_TO_MAKE}.`,
  malformed: `${ENCRYPTION_KEY_VARIABLE} is malformed: it has to be 32 bytes as base64 or hex, or several such keys separated by commas; ${HOW_TO_MAKE}.`,
  wrong: `${ENCRYPTION_KEY_VARIABLE} is not the key the saved secrets were sealed with. Give it that key again, after the new one and a comma; or discard the saved secrets and give them again.`,
} as const

export function viewEncryptionKey(keys: EncryptionKeys, all: EffectiveSettings[]): EncryptionKeyState {
  const isWrong =
    keys.state === "present" &&
    all.some(({ secrets }) => [...secrets.values()].some(({ problem }) => problem === "unreadable"))
  const state = isWrong ? "wrong" : keys.state
  return { state, message: KEY_MESSAGES[state] }
}

/** @see docs/admin-api.md, "Settings" */
export function viewSettings(effective: EffectiveSettings, open: OpenRequests[]): SettingsView {
  const { registration, stored, fields, secrets, problem, missing } = effective
  const { path, url } = webhookOf(effective)
  return {
    provider_id: registration.providerId,
    version: stored.version,
    updated_at: stored.updated_at,
    configured: missing.length === 0,
    missing,
    problem: describeProblem(problem),
    problem_code: problem,
    webhook_path: path,
    webhook_url: url,
    fields,
    secrets: Object.fromEntries(
      [...secrets].map(([name, secret]) => [
        name,
        {
          is_set: secret.source !== null,
          source: secret.source,
          locked: secret.source === "config",
          ...(name === "secret_key" ? { count: secret.values.length } : {}),
          ...(secret.problem === "unreadable" ? { unreadable: true } : {}),
        },
      ])
    ),
    former_origins: listFormerOrigins(effective, open),
  }
}

/** Former addresses with open requests whose account nobody has named yet. */
export function listFormerOrigins(
  { registration, origin: current, formerOrigins }: EffectiveSettings,
  open: OpenRequests[]
): FormerOrigin[] {
  const own =
    current === null ? [] : open.filter(({ provider_id }) => provider_id === registration.providerId)
  const asked = own.filter(({ origin }) => origin !== current && !Object.hasOwn(formerOrigins, origin))
  return asked.map(({ origin, open_requests }) => ({ origin, open_requests }))
}

export function webhookPath(providerId: string): string {
  return `/hooks/payment/${providerId.replace(/^pp_/, "")}`
}

/** The path of a provider's webhook, and its whole address when the store's public one is known. */
export function webhookOf({ registration, fields }: EffectiveSettings): { path: string; url: string | null } {
  const path = webhookPath(registration.providerId)
  if (fields.public_url.value === null) {
    return { path, url: null }
  }
  const { origin, pathname } = new URL(fields.public_url.value)
  return { path, url: `${origin}${pathname.replace(/\/+$/, "")}${path}` }
}
