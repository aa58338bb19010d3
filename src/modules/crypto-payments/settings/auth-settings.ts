import { AUTH_TYPES, authFields, isSecret, type AuthType, type GatewayAuth } from "../../../gateway"
import { authSecretName, headerOfSecret, headerSecretName } from "./names"
import type { ProviderOptions } from "./options-schema"
import type { SavedAuth, Secret, StoredSettings } from "./stored-settings"

/** A provider's authentication, put together from medusa-config and what is saved. */
export interface AuthSettings {
  type: AuthType | "function"
  /** What of it is no secret, by option, as medusa-config gives it and as it is in force. */
  configured: Partial<SavedAuth>
  plain: Partial<SavedAuth>
  /** The secrets the type has, and whether one may be missing. */
  secrets: { name: string; isOptional: boolean }[]
  /** What is missing of it and is no secret, by option. */
  missing: string[]
}

/** The written form of an authentication: any type's options. */
type AnyAuth = { type: AuthType } & Record<string, unknown>

/** @param stored used for what medusa-config leaves out, and only with the type it gives */
export function readAuthSettings(
  auth: ProviderOptions["auth"],
  isGiven: boolean,
  stored: StoredSettings<Secret>
): AuthSettings {
  if (typeof auth === "function") {
    return { type: "function", configured: {}, plain: {}, secrets: [], missing: [] }
  }
  const saved: Partial<SavedAuth> = stored.options.auth ?? {}
  const given: Partial<AnyAuth> = isGiven ? auth : {}
  const type = given.type ?? saved.type ?? "none"
  const settings: AuthSettings = { type, configured: {}, plain: {}, secrets: [], missing: [] }
  if (!Object.hasOwn(AUTH_TYPES, type)) {
    // A later release has saved a type that this one does not know.
    return { ...settings, type: "none", missing: ["auth"] }
  }
  for (const [option, kind] of authFields(type)) {
    if (kind === "secret_headers") {
      const headers = isGiven ? Object.keys(given[option] as object) : storedHeaders(stored)
      settings.secrets.push(
        ...headers.map((header) => ({ name: headerSecretName(header), isOptional: false }))
      )
    } else if (isSecret(kind)) {
      settings.secrets.push({ name: authSecretName(option), isOptional: kind === "optional_secret" })
    } else {
      const configured = given[option]
      const value = configured ?? saved[option as keyof SavedAuth]
      Object.assign(settings.configured, configured === undefined ? {} : { [option]: configured })
      Object.assign(settings.plain, value === undefined ? {} : { [option]: value })
      settings.missing.push(...(kind === "text" && value === undefined ? [`auth.${option}`] : []))
    }
  }
  return settings
}

/** The value medusa-config gives for a secret of its authentication. */
export function configuredSecret(auth: ProviderOptions["auth"], name: string): string | undefined {
  return typeof auth === "function" ? undefined : secretsOf(auth).get(name)
}

/** The values of an authentication's secrets, by name; without those that are not given. */
export function secretsOf(auth: { type: AuthType }): Map<string, string> {
  const written: AnyAuth = { ...auth }
  const texts = authFields(auth.type).flatMap(([option, kind]): [string, unknown][] => {
    if (kind === "secret_headers") {
      return Object.entries(written[option] as object).map(([header, text]) => [
        headerSecretName(header),
        text,
      ])
    }
    return isSecret(kind) ? [[authSecretName(option), written[option]]] : []
  })
  return new Map(texts.filter((entry): entry is [string, string] => typeof entry[1] === "string"))
}

/** Makes what the gateway client takes. Call it when nothing is missing. */
export function toGatewayAuth(
  { type, plain, secrets }: AuthSettings,
  secret: (name: string) => string | undefined
): GatewayAuth {
  if (type === "function") {
    return { type: "none" }
  }
  const auth: AnyAuth = { type }
  for (const [option, kind] of authFields(type)) {
    if (kind === "secret_headers") {
      auth[option] = Object.fromEntries(
        secrets.map(({ name }) => [headerOfSecret(name) ?? "", secret(name) ?? ""])
      )
      continue
    }
    const value = isSecret(kind) ? secret(authSecretName(option)) : plain[option as keyof SavedAuth]
    if (value !== undefined || kind === "secret" || kind === "text") {
      auth[option] = value ?? ""
    }
  }
  return auth as unknown as GatewayAuth
}

function storedHeaders({ secrets }: StoredSettings<Secret>): string[] {
  return Object.keys(secrets).flatMap((name) => headerOfSecret(name) ?? [])
}
