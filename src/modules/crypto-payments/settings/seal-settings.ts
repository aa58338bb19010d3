import { toGatewayAuth } from "./auth-fields"
import { givenSecret, type SettingsDraft } from "./draft-settings"
import type { EffectiveSettings, SecretReader } from "./effective-settings"
import type { EncryptionKeys } from "./encryption-keys"
import { openSealed, sealConnection, type SealedConnection } from "./former-connections"
import { originOf, type StoredConnection } from "./stored-settings"

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
): Record<string, string[]> {
  const origin = originOf(stored.bound_base_url)
  return Object.fromEntries(
    Object.entries(stored.secrets).map(([field, texts]) => [
      field,
      texts.flatMap((text) => {
        const opened = givenSecret(text) ?? read(text, field)
        return typeof opened === "string"
          ? [keys.seal(opened, { providerId, field, origin })]
          : discardUnreadable === true
            ? []
            : [text]
      }),
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

/** The connection that is left, if it is whole and was saved here. */
export function sealFormer(
  keys: EncryptionKeys,
  { registration, auth, secrets }: EffectiveSettings,
  { leaves }: SettingsDraft
): StoredConnection | null {
  // What medusa-config gives belongs to the address it gives now, not to the one that is left.
  const known = (name: string): string[] => {
    const secret = secrets.get(name)
    return secret?.source === "stored" ? secret.values : []
  }
  const secretKeys = known("secret_key")
  const isWhole =
    secretKeys.length > 0 &&
    auth.secrets.every(({ name, isOptional }) => isOptional || known(name).length > 0)
  if (leaves === null || keys.state !== "present" || !isWhole) {
    return null
  }
  const usedAuth = toGatewayAuth(auth, (name) => known(name)[0])
  const connection: SealedConnection = {
    auth: auth.type === "function" || typeof usedAuth === "function" ? null : usedAuth,
    secret_keys: secretKeys,
  }
  const { providerId } = registration
  const { origin, baseUrl } = leaves
  return {
    origin,
    base_url: baseUrl,
    sealed: sealConnection(keys, providerId, origin, connection),
  }
}
