import { toGatewayAuth } from "./auth-fields"
import { givenSecret, type SettingsDraft } from "./draft-settings"
import type { EffectiveSettings } from "./effective-settings"
import type { EncryptionKeys } from "./encryption-keys"
import { connectionField, type SealedConnection } from "./settings-registry"
import type { StoredConnection } from "./stored-settings"

/** Seals what was given, and seals again with the current key what can still be opened: so a save rotates. */
export function sealAll(
  keys: EncryptionKeys,
  providerId: string,
  { stored }: SettingsDraft,
  discardUnreadable: boolean | undefined
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(stored.secrets).map(([field, texts]) => [
      field,
      texts.flatMap((text) => {
        const opened = givenSecret(text) ?? keys.open(text, { providerId, field })
        return opened === undefined
          ? discardUnreadable === true
            ? []
            : [text]
          : [keys.seal(opened, { providerId, field })]
      }),
    ])
  )
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
    sealed: keys.seal(JSON.stringify(connection), { providerId, field: connectionField(origin) }),
  }
}
