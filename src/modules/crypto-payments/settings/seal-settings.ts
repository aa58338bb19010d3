import { toGatewayAuth } from "./auth-settings"
import type { SettingsDraft } from "./draft-settings"
import type { EffectiveSettings, SecretReader } from "./effective-settings"
import type { EncryptionKeys } from "./encryption-keys"
import { openSealed, sealConnection, type SealedConnection } from "./former-connections"
import {
  originOf,
  type SealedSecret,
  type Secret,
  type StoredConnection,
  type StoredSettings,
} from "./stored-settings"

/**
 * Seals what was given, and seals again what can still be opened, with the current key and for the address that is now
 * in force: so a save rotates. What is kept of another address was refused before.
 *
 * @param read opens what was sealed for the address in force until now
 */
export function sealAll(
  keys: EncryptionKeys,
  providerId: string,
  { stored }: SettingsDraft,
  { read, discardUnreadable }: { read: SecretReader; discardUnreadable: boolean | undefined }
): StoredSettings["secrets"] {
  const origin = originOf(stored.bound_base_url)
  const seal = (secret: Secret, field: string): SealedSecret[] => {
    const opened = read(secret, field)
    if (typeof opened === "string") {
      return [{ sealed: keys.seal(opened, { providerId, field, origin }) }]
    }
    return "given" in secret || discardUnreadable === true ? [] : [secret]
  }
  return Object.fromEntries(
    Object.entries(stored.secrets).map(([field, secrets]) => [
      field,
      secrets.flatMap((secret) => seal(secret, field)),
    ])
  )
}

/** Seals the former connections again with the current key. What no key opens stays as it is. */
export function resealConnections(
  keys: EncryptionKeys,
  providerId: string,
  connections: StoredConnection[]
): StoredConnection[] {
  return connections.flatMap(({ origin, base_url, sealed }) => {
    const opened = openSealed(keys, providerId, { origin, base_url, sealed })
    return opened === undefined || keys.state !== "present"
      ? []
      : [{ origin, base_url, sealed: sealConnection(keys, providerId, origin, opened) }]
  })
}

/**
 * The connection that is left, so that its payments are still read there: what was saved here, and the names of what
 * medusa-config gives. Null when something of it is missing, or without the encryption key. Whether it can be used,
 * `openConnection` says.
 */
export function sealFormer(
  keys: EncryptionKeys,
  { registration, fields, auth, secrets }: EffectiveSettings,
  { leaves }: SettingsDraft
): StoredConnection | null {
  if (leaves === null || keys.state !== "present") {
    return null
  }
  // What medusa-config gives with an address belongs to that address, and what it gives alone to those it allows.
  const isOfConfig = (name: string): boolean =>
    !fields.baseUrl.locked && secrets.get(name)?.source === "config"
  const saved = (name: string): string[] => {
    const secret = secrets.get(name)
    return secret?.source === "stored" ? secret.values : []
  }
  const names = [{ name: "secret_key", isOptional: false }, ...auth.secrets]
  const isWhole = names.every(
    ({ name, isOptional }) => isOptional || isOfConfig(name) || saved(name).length > 0
  )
  if (!isWhole) {
    return null
  }
  const usedAuth = toGatewayAuth(auth, (name) => saved(name)[0])
  const connection: SealedConnection = {
    auth: auth.type === "function" || typeof usedAuth === "function" ? null : usedAuth,
    secret_keys: saved("secret_key"),
    configured: names.map(({ name }) => name).filter(isOfConfig),
  }
  const { origin, baseUrl } = leaves
  return {
    origin,
    base_url: baseUrl,
    sealed: sealConnection(keys, registration.providerId, origin, connection),
  }
}
