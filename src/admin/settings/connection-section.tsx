import { Alert, Button, Container } from "@medusajs/ui"
import { useState } from "react"
import { useTestConnection } from "./settings"
import { problemWords } from "./settings-save"
import { useWords } from "../shared/words"
import { headerOfSecret } from "../../modules/crypto-payments/settings/names"
import { authSecrets } from "./connection-form"
import { settingName, settingNames } from "./setting-name"
import type { CryptoSettings, EncryptionKeyState } from "../../http-contract"
import { SectionHeading } from "../shared/layout"
import { Status } from "../shared/values"
import { CheckAlert, ConnectionDrawer } from "./connection-drawer"
import { EncryptionAlert } from "./notices"
import { SecretRow, SettingRow } from "./setting-value"

interface ConnectionSectionProps {
  settings: CryptoSettings
  encryptionKey: EncryptionKeyState
  /** Whether any secret is or would be kept here. */
  isKeyNeeded: boolean
}

/** How the store reaches the gateway. */
export function ConnectionSection({ settings, encryptionKey, isKeyNeeded }: ConnectionSectionProps) {
  const t = useWords()
  // As they were when the form was opened: read anew meanwhile, they would pass for what the merchant saw.
  const [edited, setEdited] = useState<CryptoSettings | null>(null)
  const test = useTestConnection(settings.provider_id)
  const { fields, secrets, problem_code: problem } = settings
  return (
    <Container className="divide-y p-0">
      <SectionHeading title={t("settings.connection.title")}>
        <Status color={settings.configured ? "green" : "orange"}>
          {t(settings.configured ? "settings.configured" : "settings.notConfigured")}
        </Status>
        <Button size="small" variant="secondary" isLoading={test.isPending} onClick={() => test.mutate({})}>
          {t("settings.connection.test")}
        </Button>
        <Button
          size="small"
          variant="secondary"
          aria-label={t("settings.connection.editTitle")}
          onClick={() => setEdited(settings)}
        >
          {t("settings.edit")}
        </Button>
      </SectionHeading>
      <div role="status" className="flex flex-col gap-y-2 px-6 py-4 empty:hidden">
        {isKeyNeeded && <EncryptionAlert encryptionKey={encryptionKey} />}
        {settings.missing.length > 0 && (
          <span className="txt-small text-ui-fg-subtle">
            {t("settings.missing", { fields: settingNames(settings.missing, t) })}
          </span>
        )}
        {problem !== null && (
          <span className="txt-small text-ui-fg-subtle">{t(`settings.problem.${problem}`)}</span>
        )}
        {test.error !== null && <Alert variant="error">{problemWords(test.error, t)}</Alert>}
        {test.data !== undefined && <CheckAlert check={test.data} />}
      </div>
      <dl className="divide-y">
        <SettingRow name="base_url" field={fields.base_url} />
        <SecretRow name={t("settings.fields.secret_key")} secret={secrets["secret_key"]} />
        <SettingRow
          name="auth_type"
          field={fields.auth_type}
          show={(type) => t(`settings.authType.${type}`)}
        />
        {fields.auth_type.value === "basic" && (
          <SettingRow name="auth_username" field={fields.auth_username} />
        )}
        {secretNames(settings).map((name) => (
          <SecretRow key={name} name={settingName(name, t)} secret={secrets[name]} />
        ))}
        <SettingRow name="timeout_ms" field={fields.timeout_ms} />
      </dl>
      {edited !== null && (
        <ConnectionDrawer settings={edited} encryptionKey={encryptionKey} onClose={() => setEdited(null)} />
      )}
    </Container>
  )
}

function secretNames({ fields, secrets }: CryptoSettings): string[] {
  const named = authSecrets(fields.auth_type.value ?? "none")
  return [...named, ...Object.keys(secrets).filter((name) => headerOfSecret(name) !== undefined)]
}
