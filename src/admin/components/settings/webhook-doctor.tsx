import { Alert, Button, Container, Text } from "@medusajs/ui"
import { useWebhookSelfTest } from "../../hooks/settings"
import { useWords } from "../../hooks/words"
import { apiMessage } from "../../lib/api-message"
import type { CryptoSettings, ProviderHealth, WebhookCheck } from "../../lib/settings-contract"
import { CopyValue } from "../copy-value"
import { FactRow } from "../fact-row"
import { Moment } from "../moment"
import { SectionHeading } from "../section-heading"

interface WebhookDoctorProps {
  settings: CryptoSettings
  health: ProviderHealth | undefined
}

/** The address to give the gateway, whether it works, and what came there last. */
export function WebhookDoctor({ settings, health }: WebhookDoctorProps) {
  const t = useWords()
  const test = useWebhookSelfTest(settings.provider_id)
  const { webhook_url: url, webhook_path: path } = settings
  return (
    <Container className="divide-y p-0">
      <SectionHeading title={t("settings.webhook.title")} subtitle={t("settings.webhook.subtitle")}>
        <Button size="small" variant="secondary" isLoading={test.isPending} onClick={() => test.mutate()}>
          {t("settings.webhook.test")}
        </Button>
      </SectionHeading>
      <div role="status" className="px-6 py-4 empty:hidden">
        {test.data !== undefined && <Verdict check={test.data} />}
        {test.error !== null && <Alert variant="error">{apiMessage(test.error, t)}</Alert>}
      </div>
      {url === null && (
        <Text size="small" className="text-ui-fg-subtle text-pretty px-6 py-4">
          {t("settings.webhook.pathOnly")}
        </Text>
      )}
      <dl className="divide-y">
        <FactRow name={t("settings.webhook.url")}>
          <CopyValue value={url ?? path} label={t("settings.webhook.copy")} />
        </FactRow>
        <FactRow name={t("settings.webhook.lastGood")}>
          <Moment at={health?.last_webhook_at ?? null} />
        </FactRow>
        <FactRow name={t("settings.webhook.lastRefused")}>
          <Moment at={health?.last_refused_webhook_at ?? null} />
          {health?.last_refused_webhook_reason && (
            <span>{t(`settings.webhook.reason.${health.last_refused_webhook_reason}`)}</span>
          )}
        </FactRow>
      </dl>
    </Container>
  )
}

function Verdict({ check }: { check: WebhookCheck }) {
  const t = useWords()
  if (check.problem === null) {
    return <Alert variant="success">{t("settings.webhook.ok", { ms: check.duration_ms })}</Alert>
  }
  return (
    <Alert variant={check.problem === "no_public_url" ? "info" : "error"}>
      {t(`settings.webhook.problem.${check.problem}`, { status: check.http_status ?? "–" })}
    </Alert>
  )
}
