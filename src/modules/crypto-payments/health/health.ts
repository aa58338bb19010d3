import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isLoopback } from "../../../gateway"
import type { Audits } from "../audit/audits"
import type { ProviderStatus, ProviderStatusLedger } from "./provider-status"
import { describeMissingProvider } from "../errors"
import { describeLocking, type LockingView } from "./locking"
import { listProvidersWithPayments } from "./providers-with-payments"
import type { EffectiveSettings } from "../settings/effective-settings"
import type { ConfigModuleLike } from "../settings/registrations"
import type { SettingsRegistry } from "../settings/settings-registry"
import {
  viewEncryptionKey,
  viewSettings,
  webhookPath,
  type EncryptionKeyView,
  type SettingsView,
} from "../settings/settings-view"

type UrlState = "ok" | "missing" | "no_placeholder" | "not_https"

interface ProviderHealth
  extends
    ProviderStatus,
    Pick<
      SettingsView,
      "provider_id" | "configured" | "missing" | "problem" | "webhook_path" | "webhook_url"
    > {
  /** False: it has payments here, and medusa-config does not register it. */
  registered: boolean
  success_url: UrlState
  failed_url: UrlState
  open: number
  overdue: number
  attention: number
}

/** @see docs/admin-api.md, "Health" */
export interface Health {
  providers: ProviderHealth[]
  encryption_key: EncryptionKeyView
  encryption_key_needed: boolean
  locking: LockingView
  attention: { open: number; by_reason: Record<string, number> }
  /** The last audit; null before the first. */
  audit: { ran_at: string; findings: number; incomplete: string[] } | null
}

interface Count {
  provider_id: string
  kind: "open" | "overdue" | "attention"
  reason: string | null
  count: number
}

/** Gathers what a merchant has to know about the set-up, from the settings and a few indexed counts. */
export async function readHealth(
  knex: Knex,
  config: ConfigModuleLike,
  registry: SettingsRegistry,
  { statuses, audits }: { statuses: ProviderStatusLedger; audits: Pick<Audits, "readLast"> }
): Promise<Health> {
  const [states, noted, counts, audit, known] = await Promise.all([
    registry.list(),
    statuses.list(),
    readCounts(knex),
    audits.readLast(),
    listProvidersWithPayments(knex),
  ])
  const all = states.map(({ effective }) => effective)
  const attention = counts.filter(({ kind }) => kind === "attention")
  const by_reason: Record<string, number> = {}
  for (const { reason, count } of attention) {
    by_reason[reason ?? ""] = (by_reason[reason ?? ""] ?? 0) + count
  }
  const registered = all.map((effective) => viewRegistered(effective))
  const ids = new Set(registered.map(({ provider_id }) => provider_id))
  const missing = known.filter((providerId) => !ids.has(providerId)).map(viewMissing)
  return {
    providers: [...registered, ...missing].map((provider) => ({
      ...provider,
      ...viewActivity(provider.provider_id, noted.get(provider.provider_id), counts),
    })),
    encryption_key: viewEncryptionKey(registry.keys(), all),
    encryption_key_needed: all.some(({ stored }) => Object.values(stored.secrets).flat().length > 0),
    locking: describeLocking(config),
    attention: { open: sum(attention), by_reason },
    audit: audit && { ran_at: audit.ran_at, findings: audit.found, incomplete: audit.incomplete },
  }
}

type Activity = ProviderStatus & Pick<ProviderHealth, "open" | "overdue" | "attention">

function viewRegistered(effective: EffectiveSettings): Omit<ProviderHealth, keyof Activity> {
  const { provider_id, configured, missing, problem, webhook_path, webhook_url } = viewSettings(effective)
  return {
    provider_id,
    registered: true,
    configured,
    missing,
    problem,
    webhook_path,
    webhook_url,
    success_url: urlState(effective.fields.success_url.value),
    failed_url: urlState(effective.fields.failed_url.value),
  }
}

function viewMissing(providerId: string): Omit<ProviderHealth, keyof Activity> {
  return {
    provider_id: providerId,
    registered: false,
    configured: false,
    missing: [],
    problem: describeMissingProvider(providerId),
    webhook_path: webhookPath(providerId),
    webhook_url: null,
    success_url: "missing",
    failed_url: "missing",
  }
}

function viewActivity(providerId: string, status: ProviderStatus | undefined, counts: Count[]): Activity {
  const countOf = (wanted: Count["kind"]): number =>
    sum(counts.filter((count) => count.kind === wanted && count.provider_id === providerId))
  return {
    last_webhook_at: status?.last_webhook_at ?? null,
    last_refused_webhook_at: status?.last_refused_webhook_at ?? null,
    last_refused_webhook_reason: status?.last_refused_webhook_reason ?? null,
    open: countOf("open"),
    overdue: countOf("overdue"),
    attention: countOf("attention"),
  }
}

function urlState(url: unknown): UrlState {
  if (typeof url !== "string") {
    return "missing"
  }
  const { protocol, hostname } = new URL(url)
  if (protocol !== "https:" && !isLoopback(hostname)) {
    return "not_https"
  }
  return url.includes("{session_id}") ? "ok" : "no_placeholder"
}

async function readCounts(knex: Knex): Promise<Count[]> {
  const { rows } = await knex.raw<{ rows: Count[] }>(
    `SELECT provider_id, 'open' AS kind, NULL AS reason, count(*)::int AS count FROM crypto_payment_request
      WHERE state = 'open' AND deleted_at IS NULL GROUP BY 1
     UNION ALL
     SELECT provider_id, 'overdue', NULL, count(*)::int FROM crypto_payment_request
      WHERE next_check_at < now() - interval '5 minutes' AND deleted_at IS NULL GROUP BY 1
     UNION ALL
     SELECT provider_id, 'attention', attention_reason, count(*)::int FROM crypto_payment_request
      WHERE attention_reason IS NOT NULL AND attention_resolved_at IS NULL AND deleted_at IS NULL GROUP BY 1, 3`
  )
  return rows
}

function sum(counts: Count[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}
