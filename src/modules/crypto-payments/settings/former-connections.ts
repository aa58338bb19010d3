import type { GatewayAuth } from "../../../gateway"
import { mayGetConfigured } from "./effective-settings"
import type { EncryptionKeys } from "./encryption-keys"
import type { FormerConnection } from "./provider-settings"
import { originOf, type Registration, type StoredConnection } from "./stored-settings"

/** What is sealed of a connection that is left. */
export interface SealedConnection {
  /** Null: the function medusa-config gives. */
  auth: Exclude<GatewayAuth, (...args: never[]) => unknown> | null
  secret_keys: string[]
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

/** The way to an origin the provider has left, if it may be gone. */
export function openConnection(
  registration: Registration,
  stored: StoredConnection,
  keys: EncryptionKeys
): FormerConnection | undefined {
  const { providerId } = registration
  const { origin, base_url: baseUrl } = stored
  const { auth, secret_keys: secretKeys = [] } = openSealed(keys, providerId, stored) ?? {}
  const usedAuth = auth ?? (auth === null ? configuredFunction(registration, origin) : undefined)
  const [first, ...others] = secretKeys
  return usedAuth === undefined || first === undefined
    ? undefined
    : { providerId, origin, baseUrl, auth: usedAuth, secretKeys: [first, ...others] }
}

/** The function signs in with a secret of medusa-config. */
function configuredFunction(registration: Registration, origin: string): GatewayAuth | undefined {
  const { auth } = registration.options
  return typeof auth === "function" && mayGetConfigured(registration, origin) ? auth : undefined
}

function connectionField(origin: string): string {
  return `connection ${origin}`
}
