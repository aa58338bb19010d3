import { configuredSecret, readAuthSettings, toGatewayAuth, type AuthSettings } from "./auth-settings"
import { ENCRYPTION_KEY_VARIABLE, type EncryptionKeys } from "./encryption-keys"
import type { ProviderOptions } from "./options-schema"
import type { SettingsResolution } from "./provider-settings"
import { toOptionName } from "./names"
import {
  originOf,
  SAVED_OPTIONS,
  type Registration,
  type SavedOption,
  type SavedOptions,
  type SealedSecret,
  type Secret,
  type StoredSettings,
} from "./stored-settings"

/** One setting in force and where it comes from; what medusa-config gives is locked. */
export interface EffectiveField<Value = unknown> {
  value: Value
  source: "config" | "stored" | "default"
  locked: boolean
}

/** One secret: what of it may be known, and its values for those who need them. */
export interface EffectiveSecret {
  source: "config" | "stored" | null
  locked: boolean
  /** Newest first; empty when there is none that opens. Never shown to anybody. */
  values: string[]
  /** Stored, and no key opens it. */
  isUnreadable: boolean
  /** Sealed for another gateway address than the one in the database, or changed there: not used. */
  isMoved: boolean
  /** Given for another gateway address than the one in force: not used. */
  isElsewhere: boolean
  isOptional: boolean
}

/** Opens a secret by its name; undefined when no key does, null when it was sealed for something else. */
export type SecretReader = (secret: Secret, name: string) => string | undefined | null

/** Reads the secrets of a provider and the address they were given for. */
export function secretReader(
  keys: EncryptionKeys,
  providerId: string,
  { bound_base_url }: Pick<StoredSettings, "bound_base_url">
): SecretReader {
  const origin = originOf(bound_base_url)
  return (secret, field) =>
    "given" in secret
      ? secret.given
      : (keys.open(secret.sealed, { providerId, field, origin }) ??
        (keys.hasKeyOf(secret.sealed) ? null : undefined))
}

/** Why something given is not used. */
export type SettingsProblem = "unreadable" | "address_changed" | "address_not_allowed" | "elsewhere"

/** The settings that are no secret, by option. One without a default may be null. */
export type EffectiveFields = {
  [Option in SavedOption]: EffectiveField<
    Exclude<ProviderOptions[Option], undefined> | (undefined extends ProviderOptions[Option] ? null : never)
  >
}

/** A provider's settings: medusa-config's where given, field by field, else the saved ones, else defaults. */
export interface EffectiveSettings<SecretForm extends Secret = SealedSecret> {
  registration: Registration
  stored: StoredSettings<SecretForm>
  fields: EffectiveFields
  auth: AuthSettings
  secrets: Map<string, EffectiveSecret>
  /** Why something given is not used, in a sentence, and by its name. */
  problem: string | null
  problemCode: SettingsProblem | null
  /** Whether the secrets of medusa-config may be sent to the address in force. */
  mayUseConfigured: boolean
  resolution: SettingsResolution
}

/** Resolves one provider. Pure: the same input gives the same settings. */
export function resolveEffective<SecretForm extends Secret>(
  registration: Registration,
  stored: StoredSettings<SecretForm>,
  read: SecretReader
): EffectiveSettings<SecretForm> {
  const { options, given } = registration
  const fields = readFields(registration, stored.options)
  const auth = readAuthSettings(options.auth, given.has("auth"), stored)
  const baseUrl = fields.baseUrl.value
  const bound = stored.bound_base_url
  // A saved address always comes with a bound one; without it, somebody else wrote it.
  const isElsewhere =
    baseUrl !== null && (bound === null ? !fields.baseUrl.locked : originOf(bound) !== originOf(baseUrl))
  const mayUseConfigured = baseUrl === null || mayGetConfigured(registration, baseUrl)
  const secrets = new Map(
    [{ name: "secret_key", isOptional: false }, ...auth.secrets].map(({ name, isOptional }) => {
      const configured =
        name === "secret_key"
          ? (options.secretKey ?? [])
          : [configuredSecret(options.auth, name) ?? []].flat()
      const saved = stored.secrets[name] ?? []
      const opened = saved.map((secret) => read(secret, name))
      const fromConfig = configured.length > 0
      const secret: EffectiveSecret = {
        source: fromConfig ? "config" : saved.length > 0 ? "stored" : null,
        locked: fromConfig,
        values: fromConfig ? configured : opened.filter((value) => typeof value === "string"),
        isUnreadable: !fromConfig && opened.includes(undefined),
        isMoved: !fromConfig && opened.includes(null),
        isElsewhere: fromConfig ? !mayUseConfigured : isElsewhere,
        isOptional,
      }
      return [name, secret]
    })
  )
  const problemCode = findProblem(auth, [...secrets.values()], mayUseConfigured)
  const problem = problemCode === null ? null : PROBLEMS[problemCode]
  return {
    registration,
    stored,
    fields,
    auth,
    secrets,
    problem,
    problemCode,
    mayUseConfigured,
    resolution: resolve(registration, { fields, auth, secrets, problem, mayUseConfigured }),
  }
}

/**
 * Whether an address may be sent what medusa-config gives as a secret: only one that medusa-config gives or allows, so
 * that whoever may change settings, or the database, cannot send it elsewhere.
 */
export function mayGetConfigured({ options }: Registration, address: string): boolean {
  const allowed = [originOf(options.baseUrl ?? null), ...options.allowedOrigins]
  return allowed.includes(originOf(address))
}

/** Whose the requests are that were made at another origin: what was said for the address in force. */
export function formerOriginsOf({
  stored,
  fields,
}: Pick<EffectiveSettings<Secret>, "stored" | "fields">): StoredSettings["former_origins"] {
  const isOfAddress = originOf(stored.bound_base_url) === originOf(fields.baseUrl.value)
  return isOfAddress ? stored.former_origins : {}
}

/** The gateway account that a provider's new rows belong to. */
export function accountOf({
  registration,
  stored,
}: Pick<EffectiveSettings, "registration" | "stored">): string {
  return stored.gateway_account ?? registration.options.account ?? registration.providerId
}

function readFields({ options, given }: Registration, saved: SavedOptions): EffectiveFields {
  const fields = SAVED_OPTIONS.map((option): [SavedOption, EffectiveField] => {
    const locked = given.has(option)
    const isSaved = saved[option] !== undefined
    return [
      option,
      {
        value: (locked ? options[option] : (saved[option] ?? options[option])) ?? null,
        source: locked ? "config" : isSaved ? "stored" : "default",
        locked,
      },
    ]
  })
  return Object.fromEntries(fields) as EffectiveFields
}

function resolve(
  { providerId, options }: Registration,
  {
    fields,
    auth,
    secrets,
    problem,
    mayUseConfigured,
  }: Pick<EffectiveSettings, "fields" | "auth" | "secrets" | "problem" | "mayUseConfigured">
): SettingsResolution {
  const [currentKey, ...formerKeys] = usable(secrets.get("secret_key"))
  const baseUrl = fields.baseUrl.value
  const successUrl = fields.successUrl.value
  const failedUrl = fields.failedUrl.value
  const missing = [
    ...(baseUrl === null ? ["baseUrl"] : []),
    ...(currentKey === undefined ? ["secretKey"] : []),
    ...(auth.type === "function" && !mayUseConfigured ? ["auth"] : []),
    ...auth.missing,
    ...auth.secrets
      .filter(({ name, isOptional }) => !isOptional && usable(secrets.get(name)).length === 0)
      .map(({ name }) => toOptionName(name)),
    ...(successUrl === null ? ["successUrl"] : []),
    ...(failedUrl === null ? ["failedUrl"] : []),
  ]
  if (
    missing.length > 0 ||
    baseUrl === null ||
    currentKey === undefined ||
    successUrl === null ||
    failedUrl === null
  ) {
    return { configured: false, missing, problem }
  }
  return {
    configured: true,
    settings: {
      providerId,
      baseUrl,
      secretKeys: [currentKey, ...formerKeys],
      auth:
        typeof options.auth === "function"
          ? options.auth
          : toGatewayAuth(auth, (name) => usable(secrets.get(name))[0]),
      successUrl,
      failedUrl,
      orderPlacement: fields.orderPlacement.value,
      unpaidOrderTtlMinutes: fields.unpaidOrderTtlMinutes.value ?? undefined,
      timeoutMs: fields.timeoutMs.value,
      paymentLinkHosts: fields.paymentLinkHosts.value ?? undefined,
      reuseOpenLinks: fields.reuseOpenLinks.value,
      publicUrl: options.publicUrl,
    },
  }
}

/** A secret's values, if they may be used with the gateway address in force. */
function usable(secret: EffectiveSecret | undefined): string[] {
  return secret === undefined || secret.isElsewhere ? [] : secret.values
}

const PROBLEMS: Record<SettingsProblem, string> = {
  unreadable: `Saved secrets cannot be opened. Give ${ENCRYPTION_KEY_VARIABLE} the key they were saved with, or give the secrets again.`,
  address_changed:
    "The gateway address in the database is not the one that the saved secrets were sealed for: somebody changed it outside the admin. The secrets are not sent to it. Save the right address and give the secrets again.",
  address_not_allowed:
    "medusa-config gives secrets and not the gateway address. They are not sent to an address that was typed into the admin. Give baseUrl in medusa-config, or its origin in allowedOrigins.",
  elsewhere:
    "The secrets were given for another gateway address and are not sent to this one. Give them again.",
}

function findProblem(
  auth: AuthSettings,
  secrets: EffectiveSecret[],
  mayUseConfigured: boolean
): SettingsProblem | null {
  const isConfigured = auth.type === "function" || secrets.some(({ source }) => source === "config")
  if (secrets.some(({ isUnreadable }) => isUnreadable)) {
    return "unreadable"
  }
  if (secrets.some(({ isMoved }) => isMoved)) {
    return "address_changed"
  }
  if (isConfigured && !mayUseConfigured) {
    return "address_not_allowed"
  }
  return secrets.some(({ isElsewhere, values }) => isElsewhere && values.length > 0) ? "elsewhere" : null
}
