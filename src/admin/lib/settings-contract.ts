/** The settings' and the health route's part of `docs/admin-api.md`. */
import type { AttentionReason, Problem } from "./contract"

export interface Field<T> {
  value: T | null
  source: "config" | "stored" | "default"
  locked: boolean
}

export interface SecretField {
  is_set: boolean
  source: "config" | "stored" | null
  locked: boolean
  count?: number
  unreadable?: boolean
}

export type AuthType = "none" | "bearer" | "basic" | "headers" | "signature"
export type OrderPlacement = "after_payment" | "before_payment"

export interface CryptoSettings {
  provider_id: string
  version: number
  updated_at: string | null
  configured: boolean
  missing: string[]
  problem: string | null
  problem_code: "unreadable" | "address_changed" | "address_not_allowed" | "elsewhere" | null
  webhook_path: string
  webhook_url: string | null
  fields: {
    base_url: Field<string>
    success_url: Field<string>
    failed_url: Field<string>
    order_placement: Field<OrderPlacement>
    unpaid_order_ttl_minutes: Field<number>
    timeout_ms: Field<number>
    payment_link_hosts: Field<string[]>
    reuse_open_links: Field<boolean>
    public_url: Field<string>
    auth_type: Field<AuthType | "function">
    auth_username: Field<string>
    auth_header_names: Field<HeaderNames>
  }
  secrets: Record<string, SecretField | undefined>
  former_origins: { origin: string; open_requests: number }[]
}

export interface HeaderNames {
  api_key?: string
  timestamp?: string
  signature?: string
}

export interface EncryptionKeyState {
  state: "present" | "missing" | "malformed" | "wrong"
  message: string | null
}

export type AuthInput =
  | { type: "none" }
  | { type: "bearer"; token?: string }
  | { type: "basic"; username?: string; password?: string }
  | { type: "signature"; api_key?: string; secret_key?: string; header_names?: HeaderNames }
  | { type: "headers"; headers: Record<string, string> }

export interface SettingsInput {
  base_url?: string | null
  success_url?: string | null
  failed_url?: string | null
  order_placement?: OrderPlacement | null
  unpaid_order_ttl_minutes?: number | null
  timeout_ms?: number | null
  payment_link_hosts?: string[] | null
  reuse_open_links?: boolean | null
  auth?: AuthInput | null
  secret_key?: string
  former_secret_keys?: "keep" | "drop"
}

export interface SaveSettings extends SettingsInput {
  version: number
  confirm_origin_change?: boolean
  discard_unreadable_secrets?: boolean
}

export type ConnectionCheck = ({ ok: true; problem: null } | { ok: false; problem: Problem }) & {
  message: string
  balances_count: number | null
  duration_ms: number
}

export interface WebhookCheck {
  ok: boolean
  problem:
    | "not_configured"
    | "no_public_url"
    | "unreachable"
    | "timeout"
    | "tls"
    | "redirect"
    | "no_route"
    | "wrong_secret"
    | "not_this_store"
    | "refused"
    | null
  message: string
  url: string | null
  path: string
  http_status: number | null
  duration_ms: number
}

export type UrlState = "ok" | "missing" | "no_placeholder" | "not_https"

export interface ProviderHealth {
  provider_id: string
  /** False: it has payments here, and medusa-config does not register it. */
  registered: boolean
  configured: boolean
  missing: string[]
  problem: string | null
  webhook_path: string
  webhook_url: string | null
  last_webhook_at: string | null
  last_refused_webhook_at: string | null
  last_refused_webhook_reason: "wrong_secret" | "malformed" | "not_configured" | "too_large" | null
  success_url: UrlState
  failed_url: UrlState
  open: number
  overdue: number
  attention: number
}

export interface RegionHealth {
  id: string
  name: string
  currency_code: string
  currency_taken: boolean
  provider_ids: string[]
}

export interface Health {
  providers: ProviderHealth[]
  encryption_key: EncryptionKeyState
  encryption_key_needed: boolean
  regions: RegionHealth[]
  locking: {
    provider: string
    in_memory: boolean
    worker_mode: "shared" | "server" | "worker"
    redis_engines: boolean
    fits: boolean
    message: string
  }
  attention: { open: number; by_reason: Partial<Record<AttentionReason, number>> }
  /** The last audit; null before the first. */
  audit: { ran_at: string; findings: number; incomplete: string[] } | null
}
