import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { AttentionReason } from "../../../decision/attention"
import { isPrivate, toCurrencySymbol } from "../../../gateway"
import { describeMissingProvider } from "../errors"
import { isPaused } from "../paused"
import { VALUES_OF } from "../reports/shown-payments"
import { crossedCurrencies, type EffectiveSettings } from "../settings/effective-settings"
import { webhookOf } from "../settings/settings-view"
import type { ConfigModuleLike } from "../settings/registrations"
import { describeLocking } from "./locking"
import type { ReplacedCompletion } from "./replaced-completion"
import { NOTHING_NOTED } from "./provider-status"
import type { Audits } from "../checks/audits"
import type { ReconciliationRuns } from "../reconciliation/runs"
import type { SettingsEditor } from "../settings/settings-editor"
import type { SettingsRegistry } from "../settings/settings-registry"
import type { ProviderStatusStore } from "./provider-status"

/** What health needs of the module. */
interface HealthParts {
  replacedCompletion: ReplacedCompletion
  settings: SettingsRegistry
  settingsEditor: SettingsEditor
  statuses: ProviderStatusStore
  audits: Audits
  reconciliations: ReconciliationRuns
}

interface Count {
  provider_id: string
  kind: "open" | "overdue" | "attention"
  reason: AttentionReason | null
  count: number
}

export class HealthChecks {
  constructor(
    private readonly knex: Knex,
    private readonly config: ConfigModuleLike,
    private readonly ledger: HealthParts
  ) {}

  /** @see docs/admin-api.md, "Health" */
  async read() {
    const { settingsEditor } = this.ledger
    const [{ settings, encryption_key }, noted, counts, audit, known] = await Promise.all([
      settingsEditor.list(),
      this.ledger.statuses.list(),
      readCounts(this.knex),
      this.ledger.audits.readLast(),
      this.listProvidersWithPayments(),
    ])
    const countOf = (kind: Count["kind"], providerId?: string): number =>
      counts
        .filter((row) => row.kind === kind && row.provider_id === (providerId ?? row.provider_id))
        .reduce((total, { count }) => total + count, 0)
    const by_reason: Partial<Record<AttentionReason, number>> = {}
    for (const { reason, count } of counts) {
      if (reason !== null) {
        by_reason[reason] = (by_reason[reason] ?? 0) + count
      }
    }
    // As they were just read for the views.
    const all = await this.ledger.settings.list()
    const effective = new Map(all.map((one) => [one.providerId, one]))
    // An unconfigured provider is not compared.
    const configured = settings.flatMap((view) => (view.configured ? [view.provider_id] : []))
    const compared = await this.ledger.reconciliations.listLast(configured)
    const views = new Map(settings.map((view) => [view.provider_id, view]))
    const ids = [...new Set([...views.keys(), ...known])]
    const providers = ids.map((provider_id) => {
      // Without a view, the provider has payments here and medusa-config does not register it.
      const view = views.get(provider_id)
      const own = effective.get(provider_id)
      const { set_up_address, ...status } = noted.get(provider_id) ?? NOTHING_NOTED
      return {
        provider_id,
        registered: view !== undefined,
        configured: view?.configured ?? false,
        missing: view?.missing ?? [],
        problem: view === undefined ? describeMissingProvider(provider_id) : view.problem,
        webhook_path: webhookOf(provider_id, null).path,
        webhook_url: view?.webhook_url ?? null,
        public_url: own?.public_url ?? null,
        success_url: urlState(own?.success_url),
        failed_url: urlState(own?.failed_url),
        former_origins: view?.former_origins ?? [],
        core_completion: own?.registration.core_completion ?? false,
        address_changed_from: formerAddress(set_up_address, own?.public_url ?? null),
        ...status,
        ...(compared.get(provider_id) ?? { list_compared_at: null, is_list_overdue: false }),
        open: countOf("open", provider_id),
        overdue: countOf("overdue", provider_id),
        attention: countOf("attention", provider_id),
        has_payments: known.includes(provider_id),
      }
    })
    return {
      paused: isPaused(),
      completion_replaced_by: await this.ledger.replacedCompletion.list(),
      providers,
      encryption_key,
      encryption_key_needed: all.some(({ stored }) => Object.values(stored.secrets).flat().length > 0),
      locking: describeLocking(this.config),
      attention: { open: countOf("attention"), by_reason },
      audit: audit && { ran_at: audit.ran_at, findings: audit.found, incomplete: audit.incomplete },
    }
  }

  /** The providers with which a cart in a currency can be paid now. Why another one cannot, `read` says. */
  async listOffered(currency_code: string): Promise<EffectiveSettings[]> {
    const isTaken = !isPaused() && toCurrencySymbol(currency_code) !== undefined
    const all = isTaken ? await this.ledger.settings.list() : []
    const isReplaced = (await this.ledger.replacedCompletion.list()).length > 0
    return all.filter((settings) => {
      const isCrossed = crossedCurrencies(settings).some((crossed) => crossed === currency_code)
      return settings.isConfigured && !isCrossed && (settings.registration.core_completion || !isReplaced)
    })
  }

  /** Ids of the providers that have payments here, registered or not. */
  private async listProvidersWithPayments(): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { value: string }[] }>(VALUES_OF("provider_id"))
    return rows.map(({ value }) => value)
  }
}

/** A copy of a store, or a store that has moved. Without both addresses nothing is known. */
function formerAddress(setUp: string | null, now: string | null): string | null {
  const isKnown = setUp !== null && now !== null
  return isKnown && plain(setUp) !== plain(now) ? setUp : null
}

const plain = (address: string): string => new URL(address).href.replace(/\/+$/, "")

function urlState(url: unknown): "ok" | "missing" | "no_placeholder" | "not_https" {
  if (typeof url !== "string") {
    return "missing"
  }
  if (!isPrivate(new URL(url))) {
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
