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
  | { configured: true; settings: ProviderSettings }
  | {
      configured: false
      missing: string[]
      /** Why something saved cannot be used, in a sentence. */
      problem: string | null
    }
