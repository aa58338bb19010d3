import { resolveEffective, type EffectiveSettings } from "./effective-settings"
import { readOptions } from "./options-schema"
import type { Secret, StoredSettings } from "./settings-store"

export const A = "https://a.example/api/v1"
export const B = "https://b.example/api/v1"
const urls = { successUrl: "https://shop.example/r", failedUrl: "https://shop.example/f" }

/** What was just given; a sealed one as its text. */
export const textOf = (secret: Secret): string => (typeof secret === "string" ? secret : secret.given)

export const atA: StoredSettings = {
  version: 3,
  updated_at: null,
  options: { base_url: A, auth_type: "bearer" },
  secrets: { secret_key: ["sealed-key"], "auth.token": ["sealed-token"] },
  bound_base_url: A,
  former_origins: {},
  gateway_account: null,
}

/** Sealed texts open as themselves, but for one that no key opens and one that was sealed for something else. */
export function effective(
  config: Record<string, unknown> = {},
  stored: StoredSettings = atA
): EffectiveSettings {
  const registration = { providerId: "pp_crypto_default", ...readOptions({ ...urls, ...config }) }
  return resolveEffective(registration, stored, (secret) => {
    const text = textOf(secret)
    return text === "lost" ? undefined : text === "moved" ? null : text.replace("sealed-", "")
  })
}
