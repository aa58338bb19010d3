import type { EffectiveField, EffectiveSettings, SettingsProblem } from "./effective-settings"
import { ENCRYPTION_KEY_VARIABLE, type EncryptionKeys } from "./encryption-keys"

/** What an admin sees of a provider's settings; of secrets only whether they are there. */
export interface SettingsView {
  provider_id: string
  version: number
  updated_at: Date | null
  configured: boolean
  missing: string[]
  problem: string | null
  /** The same by its name, for words in the reader's language. */
  problem_code: SettingsProblem | null
  webhook_path: string
  webhook_url: string | null
  fields: Record<string, EffectiveField>
  secrets: Record<string, SecretView>
}

interface SecretView {
  is_set: boolean
  source: "config" | "stored" | null
  locked: boolean
  count?: number
  unreadable?: boolean
}

/** State of the key of stored secrets, with a sentence that says what to do. */
export interface EncryptionKeyView {
  state: "present" | "missing" | "malformed" | "wrong"
  message: string | null
}

const HOW_TO_MAKE = "make one with `openssl rand -base64 32` and give it to every instance"
const KEY_MESSAGES = {
  present: null,
  missing: `${ENCRYPTION_KEY_VARIABLE} is not set, so secrets cannot be saved here: ${HOW_TO_MAKE}.`,
  malformed: `${ENCRYPTION_KEY_VARIABLE} is malformed: it has to be 32 bytes as base64 or hex, or several such keys separated by commas; ${HOW_TO_MAKE}.`,
  wrong: `${ENCRYPTION_KEY_VARIABLE} is not the key the saved secrets were sealed with. Give it that key again, beside the new one after a comma; or discard the saved secrets and give them again.`,
} as const

export function viewEncryptionKey(keys: EncryptionKeys, all: EffectiveSettings[]): EncryptionKeyView {
  const isWrong =
    keys.state === "present" &&
    all.some(({ secrets }) => [...secrets.values()].some(({ isUnreadable }) => isUnreadable))
  const state = isWrong ? "wrong" : keys.state
  return { state, message: KEY_MESSAGES[state] }
}

/** @see docs/admin-api.md, "Settings" */
export function viewSettings(effective: EffectiveSettings): SettingsView {
  const { registration, stored, fields, auth, resolution, problem, problemCode } = effective
  const { options, given, providerId } = registration
  const { path, url } = webhookOf(effective)
  const authSource = given.has("auth")
    ? "config"
    : stored.plain.auth_type === undefined
      ? "default"
      : "stored"
  const authField = (value: unknown, isConfigured: boolean): EffectiveField => ({
    value,
    source: isConfigured ? "config" : value === null ? "default" : "stored",
    locked: isConfigured,
  })
  const configured = typeof options.auth === "function" || !given.has("auth") ? undefined : options.auth
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
      ...fields,
      public_url: {
        value: options.publicUrl ?? null,
        source: given.has("publicUrl") ? "config" : "default",
        locked: true,
      },
      auth_type: { value: auth.type, source: authSource, locked: given.has("auth") },
      auth_username: authField(
        auth.username,
        configured?.type === "basic" && configured.username !== undefined
      ),
      auth_header_names: authField(
        auth.headerNames,
        configured?.type === "signature" && configured.headerNames !== undefined
      ),
    },
    secrets: viewSecrets(effective),
  }
}

/** Where core takes a provider's notifications. */
export function webhookPath(providerId: string): string {
  return `/hooks/payment/${providerId.replace(/^pp_/, "")}`
}

/** The path of a provider's webhook, and its whole address when the store's public one is known. */
export function webhookOf({ registration }: EffectiveSettings): { path: string; url: string | null } {
  const path = webhookPath(registration.providerId)
  const { publicUrl } = registration.options
  return { path, url: publicUrl === undefined ? null : `${new URL(publicUrl).origin}${path}` }
}

/** An option's name as the admin API spells it: `auth.apiKey` is `auth.api_key` there. */
export function toFieldName(option: string): string {
  if (option === "auth.username") {
    return "auth_username"
  }
  if (option === "auth.headers" || option === "auth.headerNames") {
    // Of all of them together: no one field is to blame.
    return "auth"
  }
  return option.startsWith("auth.headers.")
    ? option
    : option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function viewSecrets({ secrets }: EffectiveSettings): Record<string, SecretView> {
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
