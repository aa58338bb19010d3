import { resolveEffective, type EffectiveSettings } from "./effective-settings"
import type { Secret } from "./encryption-keys"
import { readOptions } from "./registrations"
import type { SavedSettings } from "./settings-store"

export const A = "https://a.example/api/v1"
export const B = "https://b.example/api/v1"
const urls = { successUrl: "https://shop.example/r", failedUrl: "https://shop.example/f" }

/** Options of a registration that needs nothing saved. */
export const complete = {
  baseUrl: "https://gateway.example/api/v1",
  secretKey: "s3cret-value",
  auth: { type: "bearer", token: "t0ken-value" },
  successUrl: "https://shop.example/return?session_id={session_id}",
  failedUrl: "https://shop.example/failed?session_id={session_id}",
}

export const atA: SavedSettings = {
  version: 3,
  updated_at: null,
  options: { base_url: A, auth_type: "bearer" },
  secrets: { secret_key: ["sealed-key"], "auth.token": ["sealed-token"] },
  bound_base_url: A,
}

/** Sealed texts open as themselves, but for one that no key opens and one that was sealed for something else. */
export const opened = (secrets: SavedSettings["secrets"]) => {
  const open = (sealed: string): Secret => {
    const problem = ({ lost: "unreadable", moved: "address_changed" } as const)[sealed]
    return problem ? { sealed, problem } : sealed.replace("sealed-", "")
  }
  return Object.fromEntries(Object.entries(secrets).map(([name, sealed]) => [name, sealed.map(open)]))
}

export function effective(
  config: Record<string, unknown> = {},
  saved: SavedSettings = atA
): EffectiveSettings {
  const registration = { providerId: "pp_crypto_default", ...readOptions({ ...urls, ...config }) }
  return resolveEffective(registration, { ...saved, secrets: opened(saved.secrets) })
}
