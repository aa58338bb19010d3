import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Alert, Container, Heading, Text } from "@medusajs/ui"
import type { CryptoSettings, Health } from "../../../../http-contract"
import { Checklist } from "../../../settings/checklist"
import { UnansweredOrigins } from "../../../settings/origin-question"
import { settingNames } from "../../../settings/setting-fields"
import { type AllSettings, useHealth, useSettings } from "../../../settings/settings"
import { CheckoutSection, ConnectionSection } from "../../../settings/settings-sections"
import { WebhookDoctor } from "../../../settings/webhook-doctor"
import { isForbidden } from "../../../shared/admin-api"
import { LoadError, LoadingRows } from "../../../shared/notices"
import { Crumb, guarded } from "../../../shared/page"
import { providerName, ProviderSelect } from "../../../shared/provider"
import { useUrlState } from "../../../shared/url-state"
import { useWords } from "../../../shared/words"

/**
 * Everything a merchant sets up, in the order it is done. The checklist needs another permission than the settings: a
 * role without it sees the settings, and what is missing.
 */
const CryptoSettingsPage = () => {
  const settings = useSettings()
  const health = useHealth()
  const isHidden = isForbidden(health.error)
  const error = settings.error ?? (isHidden ? null : health.error)
  if (error !== null) {
    const retry = () => {
      void settings.refetch()
      void health.refetch()
    }
    return (
      <Container className="p-0">
        <LoadError problem={error} onRetry={retry} />
      </Container>
    )
  }
  if (settings.data === undefined || (health.data === undefined && !isHidden)) {
    return (
      <Container className="p-0">
        <LoadingRows count={8} />
      </Container>
    )
  }
  return <Sections all={settings.data} health={health.data} />
}

function Sections({ all, health }: { all: AllSettings; health: Health | undefined }) {
  const t = useWords()
  const [chosen, choose] = useUrlState("provider_id", "")
  const settings = all.settings.find(({ provider_id }) => provider_id === chosen) ?? all.settings[0]
  if (settings === undefined) {
    return (
      <div className="flex flex-col gap-y-3">
        <MissingProviders providers={health?.providers ?? []} />
        <Container className="flex flex-col gap-y-1">
          <Heading>{t("settings.noProviders")}</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            {t("settings.noProvidersHint")}
          </Text>
        </Container>
      </div>
    )
  }
  const provider = health?.providers.find(({ provider_id }) => provider_id === settings.provider_id)
  return (
    <div className="flex flex-col gap-y-3">
      <Container className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <Heading>{t("settings.title")}</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            {t("settings.subtitle")}
          </Text>
        </div>
        <ProviderSelect
          providerIds={all.settings.map(({ provider_id }) => provider_id)}
          value={settings.provider_id}
          onChange={choose}
        />
      </Container>
      {health === undefined ? (
        <Alert variant="info">{t("settings.checklistForbidden")}</Alert>
      ) : (
        <>
          <MissingProviders providers={health.providers} />
          <Checklist settings={settings} encryptionKey={all.encryption_key} health={health} />
        </>
      )}
      <UnansweredOrigins settings={settings} />
      <LockedNotice settings={settings} />
      <ConnectionSection
        settings={settings}
        encryptionKey={all.encryption_key}
        isKeyNeeded={(health?.encryption_key_needed ?? true) || !settings.configured}
      />
      <CheckoutSection settings={settings} />
      <WebhookDoctor settings={settings} health={provider} />
    </div>
  )
}

/** Providers that have unfinished payments and that medusa-config does not register any more. */
function MissingProviders({ providers }: Pick<Health, "providers">) {
  const t = useWords()
  return providers
    .filter(({ registered, open, overdue, attention }) => !registered && open + overdue + attention > 0)
    .map(({ provider_id, open, attention }) => (
      <Alert key={provider_id} variant="warning">
        {t("settings.missingProvider", {
          provider: providerName(provider_id),
          links: t("settings.openLinks", { count: open }),
          cases: t("settings.openCases", { count: attention }),
        })}
      </Alert>
    ))
}

/** What medusa-config gives, all of it in one place: the rows only bear a lock. */
function LockedNotice({ settings: { fields, secrets } }: { settings: CryptoSettings }) {
  const t = useWords()
  // publicUrl can only be set there, so it is no value that is locked here; names of headers come with the type.
  const { public_url: _always, auth_header_names: _withType, ...changeable } = fields
  const locked = Object.entries({ ...changeable, ...secrets }).flatMap(([name, field]) =>
    field.locked ? [name] : []
  )
  return locked.length === 0 ? null : (
    <Alert variant="info">{t("settings.lockedBanner", { fields: settingNames(locked, t) })}</Alert>
  )
}

export const config = defineRouteConfig({
  label: "settings.title",
  translationNs: "cryptoPayments",
})

export const handle = { breadcrumb: () => <Crumb name="settings.title" /> }

export default guarded(CryptoSettingsPage)
