import type { EffectiveField, EffectiveSettings } from "./effective-settings"
import type { CryptoSettings, EncryptionKeyState, SecretField } from "../../../http-contract"
import { ENCRYPTION_KEY_VARIABLE, type EncryptionKeys } from "./encryption-keys"
import { toFieldName, toFieldNames } from "./names"
import type { Secret } from "./stored-settings"

/** What an admin sees of a provider's settings; of secrets only whether they are there. */
export interface SettingsView extends Omit<
  CryptoSettings,
  "updated_at" | "fields" | "secrets" | "former_origins"
> {
  updated_at: Date | null
  fields: Record<string, EffectiveField>
  secrets: Record<string, SecretField>
}

const HOW_TO_MAKE = "make one with `openssl rand -base64 32` and give it to every instance"
const KEY_MESSAGES = {
  present: null,
  missing: `${ENCRYPTION_KEY_VARIABLE} is not set, so secrets cannot be saved here: ${HOW_TO_MAKE}.`,
  malformed: `${ENCRYPTION_KEY_VARIABLE} is malformed: it has to be 32 bytes as base64 or hex, or several such keys separated by commas; ${HOW_TO_MAKE}.`,
  wrong: `${ENCRYPTION_KEY_VARIABLE} is not the key the saved secrets were sealed with. Give it that key again, after the new one and a comma; or discard the saved secrets and give them again.`,
} as const

export function viewEncryptionKey(
  keys: EncryptionKeys,
  all: Pick<EffectiveSettings, "secrets">[]
): EncryptionKeyState {
  const isWrong =
    keys.state === "present" &&
    all.some(({ secrets }) => [...secrets.values()].some(({ isUnreadable }) => isUnreadable))
  const state = isWrong ? "wrong" : keys.state
  return { state, message: KEY_MESSAGES[state] }
}

/** @see docs/admin-api.md, "Settings" */
export function viewSettings(effective: EffectiveSettings<Secret>): SettingsView {
  const { registration, stored, fields, resolution, problem, problemCode } = effective
  const { options, given, providerId } = registration
  const { path, url } = webhookOf(effective)
  return {
    provider_id: providerId,
    version: stored.version,
    updated_at: stored.updated_at,
    configured: resolution.configured,
    missing: resolution.configured ? [] : resolution.missing.map(toFieldName),
    problem,
    problem_code: problemCode,
    webhook_path: path,
    webhook_url: url,
    fields: {
      ...toFieldNames<EffectiveField>(fields),
      public_url: {
        value: options.publicUrl ?? null,
        source: given.has("publicUrl") ? "config" : "default",
        locked: true,
      },
      ...viewAuth(effective),
    },
    secrets: viewSecrets(effective),
  }
}

function viewAuth({ registration, stored, auth }: EffectiveSettings<Secret>): Record<string, EffectiveField> {
  const { type, configured, plain } = auth
  const isGiven = registration.given.has("auth")
  const view = (value: unknown, isConfigured: boolean): EffectiveField => ({
    value: value ?? null,
    source: isConfigured ? "config" : value === undefined ? "default" : "stored",
    locked: isConfigured,
  })
  return {
    auth_type: {
      value: type,
      source: isGiven ? "config" : stored.options.auth === undefined ? "default" : "stored",
      locked: isGiven,
    },
    auth_username: view(plain.username, configured.username !== undefined),
    auth_header_names: view(
      plain.headerNames && toFieldNames({ ...plain.headerNames }),
      configured.headerNames !== undefined
    ),
  }
}

/** Where core takes a provider's notifications. */
export function webhookPath(providerId: string): string {
  return `/hooks/payment/${providerId.replace(/^pp_/, "")}`
}

/** The path of a provider's webhook, and its whole address when the store's public one is known. */
export function webhookOf({ registration }: Pick<EffectiveSettings, "registration">): {
  path: string
  url: string | null
} {
  const path = webhookPath(registration.providerId)
  const { publicUrl } = registration.options
  if (publicUrl === undefined) {
    return { path, url: null }
  }
  const { origin, pathname } = new URL(publicUrl)
  return { path, url: `${origin}${pathname.replace(/\/+$/, "")}${path}` }
}

function viewSecrets({ secrets }: Pick<EffectiveSettings, "secrets">): Record<string, SecretField> {
  return Object.fromEntries(
    [...secrets].map(([name, { source, locked, values, isUnreadable }]) => [
      name,
      {
        is_set: source !== null,
        source,
        locked,
        ...(name === "secret_key" ? { count: values.length } : {}),
        ...(isUnreadable ? { unreadable: true } : {}),
      },
    ])
  )
}
