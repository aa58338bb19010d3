import { Alert } from "@medusajs/ui"
import type { CryptoSettings, ProviderHealth, WebhookCheck } from "../../http-contract"
import { apiMessage } from "../shared/admin-api"
import { ActionButton, Card, type Fact, Facts, Remark } from "../shared/layout"
import { CopyValue, Moment } from "../shared/values"
import { useWords } from "../shared/words"
import { useWebhookSelfTest } from "./settings"

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
  const action = { isLoading: test.isPending, onClick: () => test.mutate() }
  const address = <CopyValue value={url ?? origin + path} label={t("settings.webhook.copy")} />
  const reason = health?.last_refused_webhook_reason
  const heard: Fact[] =
    health === undefined
      ? []
      : [
          [t("settings.webhook.lastGood"), <Moment at={health.last_webhook_at} />],
          [
            t("settings.webhook.lastRefused"),
            <>
              <Moment at={health.last_refused_webhook_at} />
              {reason && <span>{t(`settings.webhook.reason.${reason}`)}</span>}
            </>,
          ],
        ]
  return (
    <Card
      title={t("settings.webhook.title")}
      subtitle={t("settings.webhook.subtitle")}
      actions={url !== null && isConfigured && <ActionButton words="settings.webhook.test" {...action} />}
    >
      <div role="status" className="px-6 py-4 empty:hidden">
        {test.data !== undefined && <Verdict check={test.data} />}
        {test.error !== null && <Alert variant="error">{apiMessage(test.error, t)}</Alert>}
      </div>
      {url === null && <Remark>{t("settings.webhook.pathOnly", { origin })}</Remark>}
      <Facts className="divide-y" facts={[[t("settings.webhook.url"), address], ...heard]} />
    </Card>
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
