import type { GatewayAuth } from "../../../gateway"
import { configuredSecret, withSecrets } from "./auth-settings"
import { mayGetConfigured } from "./effective-settings"
import type { EncryptionKeys } from "./encryption-keys"
import type { FormerConnection } from "./provider-settings"
import { originOf, type Registration, type StoredConnection } from "./stored-settings"

const SECRET_KEY = "secret_key"

/** What is sealed of a connection that is left. */
export interface SealedConnection {
  /** Null: the function medusa-config gives. */
  auth: Exclude<GatewayAuth, (...args: never[]) => unknown> | null
  secret_keys: string[]
  /** The secrets that medusa-config gives, by name. Their values are read there each time, and are not kept. */
  configured?: string[]
}

/** Seals a connection for its origin and no other. */
export function sealConnection(
  keys: EncryptionKeys,
  providerId: string,
  origin: string,
  connection: SealedConnection
): string {
  return keys.seal(JSON.stringify(connection), { providerId, field: connectionField(origin), origin })
}

/** @returns undefined when no key opens it, or its address was changed after it was sealed */
export function openSealed(
  keys: EncryptionKeys,
  providerId: string,
  { origin, base_url, sealed }: StoredConnection
): SealedConnection | undefined {
  if (originOf(base_url) !== origin) {
    return undefined
  }
  const opened = keys.open(sealed, { providerId, field: connectionField(origin), origin })
  return opened === undefined ? undefined : (JSON.parse(opened) as SealedConnection)
}

/**
 * The way to an origin the provider has left. Undefined when nothing opens it, or when it needs what medusa-config does
 * not give, or may not be sent to that origin (any more).
 */
export function openConnection(
  registration: Registration,
  stored: StoredConnection,
  keys: EncryptionKeys
): FormerConnection | undefined {
  const { providerId, options } = registration
  const { origin, base_url: baseUrl } = stored
  const opened = openSealed(keys, providerId, stored)
  if (opened === undefined) {
    return undefined
  }
  const { auth: sealedAuth, secret_keys, configured = [] } = opened
  const needsConfigured = sealedAuth === null || configured.length > 0
  if (needsConfigured && !mayGetConfigured(registration, origin)) {
    return undefined
  }
  const given = new Map(
    configured.flatMap((name): [string, string][] => {
      const value = configuredSecret(options.auth, name)
      return value === undefined ? [] : [[name, value]]
    })
  )
  const isKeyConfigured = configured.includes(SECRET_KEY)
  const auth = sealedAuth === null ? configuredFunction(options.auth) : withSecrets(sealedAuth, given)
  const secretKeys = isKeyConfigured ? (options.secretKey ?? []) : secret_keys
  const isWhole = given.size === configured.length - (isKeyConfigured ? 1 : 0)
  const [first, ...others] = secretKeys
  return auth === undefined || first === undefined || !isWhole
    ? undefined
    : { providerId, origin, baseUrl, auth, secretKeys: [first, ...others] }
}

function configuredFunction(auth: Registration["options"]["auth"]): GatewayAuth | undefined {
  return typeof auth === "function" ? auth : undefined
}

function connectionField(origin: string): string {
  return `connection ${origin}`
}
