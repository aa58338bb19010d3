import type { ProviderOptions } from "./options-schema"

/** The settings that are no secret and can be saved, by the option of medusa-config that wins over each. */
export const PLAIN_FIELDS = {
  base_url: "baseUrl",
  success_url: "successUrl",
  failed_url: "failedUrl",
  order_placement: "orderPlacement",
  unpaid_order_ttl_minutes: "unpaidOrderTtlMinutes",
  timeout_ms: "timeoutMs",
  payment_link_hosts: "paymentLinkHosts",
  reuse_open_links: "reuseOpenLinks",
} as const satisfies Record<string, keyof ProviderOptions>

export type PlainField = keyof typeof PLAIN_FIELDS

export const AUTH_TYPES = ["none", "bearer", "basic", "headers", "signature"] as const
export type AuthType = (typeof AUTH_TYPES)[number]

/** Names of the headers of `signature`, where they differ from its defaults. */
export interface SignatureHeaderNames {
  api_key?: string | undefined
  timestamp?: string | undefined
  signature?: string | undefined
}

/** What is saved and no secret; a field that is not there is not saved. */
export interface StoredPlain {
  base_url?: string
  success_url?: string
  failed_url?: string
  order_placement?: ProviderOptions["orderPlacement"]
  unpaid_order_ttl_minutes?: number
  timeout_ms?: number
  payment_link_hosts?: string[]
  reuse_open_links?: boolean
  auth_type?: AuthType
  auth_username?: string
  auth_header_names?: SignatureHeaderNames
}

/** What is saved for one provider. */
export interface StoredSettings {
  version: number
  updated_at: Date | null
  plain: StoredPlain
  /** Sealed texts by field, newest first: `secret_key`, `auth.token`, `auth.headers.<name>`… */
  secrets: Record<string, string[]>
  /** The gateway address the secrets were given for. They are sealed for its origin, so it cannot be changed alone. */
  bound_base_url: string | null
}

/** A connection to an origin the provider has left. */
export interface StoredConnection {
  origin: string
  base_url: string
  sealed: string
}

/** Nothing saved yet. */
export const NOTHING_STORED: StoredSettings = {
  version: 0,
  updated_at: null,
  plain: {},
  secrets: {},
  bound_base_url: null,
}

/** What a provider of medusa-config gives. */
export interface Registration {
  providerId: string
  options: ProviderOptions
  /** Names of the options that are given; the others have their defaults in `options`. */
  given: ReadonlySet<string>
}

/** The origin of an address. What is no address was not saved here and is the origin of nothing else. */
export function originOf(baseUrl: string | null): string | null {
  return baseUrl === null || !URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl).origin
}
