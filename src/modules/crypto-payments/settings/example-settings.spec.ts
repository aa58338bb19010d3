import { resolveEffective, type EffectiveSettings, type StoredSettings } from "./effective-settings"
import { readOptions } from "./registrations"

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

export const atA: StoredSettings = {
  version: 3,
  updated_at: null,
  values: { base_url: A, auth_type: "bearer" },
  secrets: { secret_key: ["key"], "auth.token": ["token"] },
}

export function effective(
  config: Record<string, unknown> = {},
  saved: StoredSettings = atA
): EffectiveSettings {
  const registration = { providerId: "pp_crypto_default", ...readOptions({ ...urls, ...config }) }
  return resolveEffective(registration, saved)
}
