import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container, Heading, Text } from "@medusajs/ui"
import { Crumb } from "../../../components/crumb"
import { LoadError } from "../../../components/load-error"
import { LoadingRows } from "../../../components/loading-rows"
import { ProviderSelect } from "../../../components/provider-select"
import { CheckoutSection } from "../../../components/settings/checkout-section"
import { Checklist } from "../../../components/settings/checklist"
import { ConnectionSection } from "../../../components/settings/connection-section"
import { MissingProviders } from "../../../components/settings/missing-providers"
import { WebhookDoctor } from "../../../components/settings/webhook-doctor"
import { type AllSettings, useHealth, useSettings } from "../../../hooks/settings"
import { useUrlState } from "../../../hooks/url-state"
import { useWords } from "../../../hooks/words"
import { apiMessage } from "../../../lib/api-message"
import type { Health } from "../../../lib/settings-contract"

/** Everything a merchant sets up, in the order it is done. */
const CryptoSettingsPage = () => {
  const t = useWords()
  const settings = useSettings()
  const health = useHealth()
  const error = settings.error ?? health.error
  if (error !== null) {
    const retry = () => {
      void settings.refetch()
      void health.refetch()
    }
    return (
      <Container className="p-0">
        <LoadError message={apiMessage(error, t)} onRetry={retry} />
      </Container>
    )
  }
  if (settings.data === undefined || health.data === undefined) {
    return (
      <Container className="p-0">
        <LoadingRows count={8} />
      </Container>
    )
  }
  return <Sections all={settings.data} health={health.data} />
}

function Sections({ all, health }: { all: AllSettings; health: Health }) {
  const t = useWords()
  const [chosen, choose] = useUrlState("provider_id", "")
  const settings = all.settings.find(({ provider_id }) => provider_id === chosen) ?? all.settings[0]
  if (settings === undefined) {
    return (
      <div className="flex flex-col gap-y-3">
        <MissingProviders providers={health.providers} />
        <Container className="flex flex-col gap-y-1">
          <Heading>{t("settings.noProviders")}</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            {t("settings.noProvidersHint")}
          </Text>
        </Container>
      </div>
    )
  }
  const provider = health.providers.find(({ provider_id }) => provider_id === settings.provider_id)
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
      <MissingProviders providers={health.providers} />
      <Checklist settings={settings} encryptionKey={all.encryption_key} health={health} />
      <ConnectionSection
        settings={settings}
        encryptionKey={all.encryption_key}
        isKeyNeeded={health.encryption_key_needed || !settings.configured}
      />
      <CheckoutSection settings={settings} />
      <WebhookDoctor settings={settings} health={provider} />
    </div>
  )
}

export const config = defineRouteConfig({
  label: "settings.title",
  translationNs: "cryptoPayments",
})

export const handle = { breadcrumb: () => <Crumb name="settings.title" /> }

export default CryptoSettingsPage
