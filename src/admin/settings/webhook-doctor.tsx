import { Alert, Button, Container, Text } from "@medusajs/ui"
import { useWebhookSelfTest } from "./settings"
import { useWords } from "../shared/words"
import { apiMessage } from "../shared/admin-api"
import type { CryptoSettings, ProviderHealth, WebhookCheck } from "../../http-contract"
import { CopyValue, Moment } from "../shared/values"
import { FactRow, SectionHeading } from "../shared/layout"

interface WebhookDoctorProps {
  settings: CryptoSettings
  /** Undefined for a role that may not read it: whether a notification arrived is then not known. */
  health: ProviderHealth | undefined
}

/** The address to enter at the gateway, whether it works, and the last notifications. */
export function WebhookDoctor({ settings, health }: WebhookDoctorProps) {
  const t = useWords()
  const test = useWebhookSelfTest(settings.provider_id)
  const { webhook_url: url, webhook_path: path, configured: isConfigured } = settings
  const origin = ownOrigin()
  return (
    <Container className="divide-y p-0">
      <SectionHeading title={t("settings.webhook.title")} subtitle={t("settings.webhook.subtitle")}>
        {url !== null && isConfigured && (
          <Button size="small" variant="secondary" isLoading={test.isPending} onClick={() => test.mutate()}>
            {t("settings.webhook.test")}
          </Button>
        )}
      </SectionHeading>
      <div role="status" className="px-6 py-4 empty:hidden">
        {test.data !== undefined && <Verdict check={test.data} />}
        {test.error !== null && <Alert variant="error">{apiMessage(test.error, t)}</Alert>}
      </div>
      {url === null && (
        <Text size="small" className="text-ui-fg-subtle text-pretty px-6 py-4">
          {t("settings.webhook.pathOnly", { origin })}
        </Text>
      )}
      <dl className="divide-y">
        <FactRow name={t("settings.webhook.url")}>
          <CopyValue value={url ?? origin + path} label={t("settings.webhook.copy")} />
        </FactRow>
        {health !== undefined && (
          <>
            <FactRow name={t("settings.webhook.lastGood")}>
              <Moment at={health.last_webhook_at} />
            </FactRow>
            <FactRow name={t("settings.webhook.lastRefused")}>
              <Moment at={health.last_refused_webhook_at} />
              {health.last_refused_webhook_reason && (
                <span>{t(`settings.webhook.reason.${health.last_refused_webhook_reason}`)}</span>
              )}
            </FactRow>
          </>
        )}
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

/** The store's address as this page reaches it: very likely the one that the gateway can reach too. */
function ownOrigin(): string {
  const backend = __BACKEND_URL__
  return backend !== undefined && URL.canParse(backend) ? new URL(backend).origin : window.location.origin
}
