import type { GatewayAuth } from "../../../gateway"
import type { ProviderOptions } from "./options-schema"

/** Everything one provider needs, resolved. `secretKeys` newest first. Times in milliseconds. */
export interface ProviderSettings {
  providerId: string
  baseUrl: string
  secretKeys: [string, ...string[]]
  auth: GatewayAuth
  successUrl: string
  failedUrl: string
  orderPlacement: ProviderOptions["orderPlacement"]
  unpaidOrderTtlMinutes: number | undefined
  timeoutMs: number
  paymentLinkHosts: readonly string[] | undefined
  reuseOpenLinks: boolean
  publicUrl: string | undefined
}

/** Settings of a registered provider, or the names of the options that still have to be given. */
export type SettingsResolution =
  { configured: true; settings: ProviderSettings } | { configured: false; missing: string[] }

/** Resolves one registration's checked options; names what is missing instead of guessing. */
export function resolveSettings(providerId: string, options: ProviderOptions): SettingsResolution {
  const { baseUrl, successUrl, failedUrl, auth, ...rest } = options
  const secretKeys = [options.secretKey ?? []].flat()
  const [currentKey, ...formerKeys] = secretKeys
  const missing = [
    ...(baseUrl === undefined ? ["baseUrl"] : []),
    ...(currentKey === undefined ? ["secretKey"] : []),
    ...missingAuthFields(auth),
    ...(successUrl === undefined ? ["successUrl"] : []),
    ...(failedUrl === undefined ? ["failedUrl"] : []),
  ]
  if (
    missing.length > 0 ||
    baseUrl === undefined ||
    currentKey === undefined ||
    successUrl === undefined ||
    failedUrl === undefined
  ) {
    return { configured: false, missing }
  }
  return {
    configured: true,
    settings: {
      providerId,
      baseUrl,
      secretKeys: [currentKey, ...formerKeys],
      // Every secret of the scheme is present: missingAuthFields named none.
      auth: auth as GatewayAuth,
      successUrl,
      failedUrl,
      orderPlacement: rest.orderPlacement,
      unpaidOrderTtlMinutes: rest.unpaidOrderTtlMinutes,
      timeoutMs: rest.timeoutMs,
      paymentLinkHosts: rest.paymentLinkHosts,
      reuseOpenLinks: rest.reuseOpenLinks,
      publicUrl: rest.publicUrl,
    },
  }
}

function missingAuthFields(auth: ProviderOptions["auth"]): string[] {
  if (typeof auth === "function") {
    return []
  }
  const required: Record<string, string | undefined> =
    auth.type === "bearer"
      ? { token: auth.token }
      : auth.type === "basic"
        ? { username: auth.username, password: auth.password }
        : auth.type === "signature"
          ? { apiKey: auth.apiKey }
          : auth.type === "headers"
            ? Object.fromEntries(
                Object.entries(auth.headers).map(([name, value]) => [`headers.${name}`, value])
              )
            : {}
  return Object.entries(required)
    .filter(([, value]) => value === undefined)
    .map(([name]) => `auth.${name}`)
}
