import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Alert, Container } from "@medusajs/ui"
import { useState } from "react"
import type * as Api from "../../../../http-contract"
import { Checklist } from "../../../settings/checklist"
import type { Part } from "../../../settings/setting-fields"
import { useHealth, useSettings, webhookAddress } from "../../../settings/settings"
import { Decisions, FormerKey, SettingsDrawer, SettingsSection } from "../../../settings/settings-sections"
import { apiMessage, isForbidden } from "../../../shared/admin-api"
import { Action, Card, Facts, Remark, SectionHeading } from "../../../shared/layout"
import { EmptyNotice, guarded, Loaded, named, ProviderSelect } from "../../../shared/page"
import { HEALTH, useAction, useUrlState } from "../../../shared/queries"
import { CopyValue, Moment } from "../../../shared/values"
import { t } from "../../../shared/words"

/** The set-up, in its order. The checklist needs another permission than the settings. */
export default guarded(function CryptoSettingsPage() {
  const settings = useSettings()
  const health = useHealth()
  const isHidden = isForbidden(health.error)
  const query = {
    data: isHidden || health.data !== undefined ? settings.data : undefined,
    error: settings.error ?? (isHidden ? null : health.error),
    refetch: async () => await Promise.all([settings.refetch(), health.refetch()]),
  }
  return (
    <Loaded isPage isKept query={query}>
      {(saved) => <Sections saved={saved} health={health.data} />}
    </Loaded>
  )
})

function Sections({ saved, health }: { saved: Api.AllSettings; health: Api.Health | undefined }) {
  // Who adds a provider to medusa-config comes to set it up. Once it is, the page stays with it.
  const [first] = useState(saved.settings.find(({ configured }) => !configured)?.provider_id ?? "")
  const [chosen, choose] = useUrlState("provider_id", first)
  // As they were when the form was opened: settings that are read again meanwhile are not what the merchant saw.
  const [edited, setEdited] = useState<{ part: Part; settings: Api.CryptoSettings } | null>(null)
  const settings = saved.settings.find(({ provider_id }) => provider_id === chosen) ?? saved.settings[0]
  const paused = health?.paused && <Alert variant="error">{t("settings.paused")}</Alert>
  if (settings === undefined) {
    return (
      <div className="flex flex-col gap-y-3">
        {paused}
        <Container className="p-0">
          <EmptyNotice title={t("settings.noProviders")} hint={t("settings.noProvidersHint")} />
        </Container>
      </div>
    )
  }
  const providerIds = saved.settings.map(({ provider_id }) => provider_id)
  const edit = (part: Part) => setEdited({ part, settings })
  const parts = { settings, edit, encryptionKey: saved.encryption_key }
  const replacing = health?.completion_replaced_by ?? []
  const ofProvider = health?.providers.find(({ provider_id }) => provider_id === settings.provider_id)
  const formerKey = <FormerKey settings={settings} usedAt={ofProvider?.former_key_used_at} />
  return (
    <div className="flex flex-col gap-y-3">
      <Container className="p-0">
        <SectionHeading level="h1" title={t("nav.payments")} subtitle={t("settings.subtitle")}>
          <ProviderSelect providerIds={providerIds} providerId={settings.provider_id} choose={choose} />
        </SectionHeading>
      </Container>
      {health === undefined && <Alert variant="info">{t("settings.checklistForbidden")}</Alert>}
      {paused}
      {replacing.length > 0 && ofProvider?.core_completion === false && (
        <Alert variant="error">
          {t("settings.completionReplaced", { names: replacing.join(t("common.comma")) })}
        </Alert>
      )}
      {health !== undefined && <Checklist {...parts} health={health} provider={ofProvider} />}
      <Decisions settings={settings} from={ofProvider?.address_changed_from ?? null} />
      <SettingsSection {...parts} part="connection" extra={{ secret_key: formerKey }} />
      <SettingsSection {...parts} part="checkout" />
      <WebhookDoctor settings={settings} health={ofProvider} />
      {edited !== null && (
        <SettingsDrawer {...edited} encryptionKey={saved.encryption_key} onClose={() => setEdited(null)} />
      )}
    </div>
  )
}

/** @param health undefined for a role that may not read it: then nothing is known of notifications */
function WebhookDoctor({ settings, health }: { settings: Api.CryptoSettings; health?: Api.ProviderHealth }) {
  const path = `/settings/${settings.provider_id}/webhook-check`
  const { data: check, error, ...test } = useAction<Api.WebhookCheck>(path, { changes: [HEALTH] })
  const { webhook_url: url, configured: isConfigured } = settings
  const { address, backend } = webhookAddress(settings)
  const action = { isLoading: test.isPending, onClick: () => test.mutate() }
  const reason = health?.last_refused_webhook_reason
  const problem = t(`settings.webhook.problem.${check?.problem ?? ""}`, { status: check?.http_status ?? "–" })
  const isGood = check?.problem === null
  const answer = isGood ? t("settings.webhook.ok", { ms: check.duration_ms }) : check && problem
  const words = error === null ? answer : apiMessage(error)
  const refused = health && (
    <>
      <Moment at={health.last_refused_webhook_at} />
      {reason && <span>{t(`settings.webhook.reason.${reason}`)}</span>}
    </>
  )
  return (
    <Card
      title={t("settings.webhook.title")}
      subtitle={t("settings.webhook.subtitle")}
      actions={url !== null && isConfigured && <Action label={t("settings.webhook.test")} {...action} />}
    >
      <div role="status" className="px-6 py-4 empty:hidden">
        {words && <Alert variant={isGood ? "success" : "error"}>{words}</Alert>}
      </div>
      {url === null && <Remark>{t("settings.webhook.pathOnly", { origin: backend })}</Remark>}
      <Facts
        className="divide-y"
        facts={[
          [t("settings.webhook.url"), <CopyValue value={address} label={t("settings.webhook.copy")} />],
          [t("settings.webhook.lastGood"), health && <Moment at={health.last_webhook_at} />],
          [t("settings.webhook.lastRefused"), refused],
        ]}
      />
    </Card>
  )
}

export const config = defineRouteConfig({ label: "nav.payments", translationNs: "cryptoPayments" })

export const handle = named("nav.payments")
