import { Alert, Button, Checkbox, Label } from "@medusajs/ui"
import { useId, useState } from "react"
import { useTestConnection } from "./settings"
import { problemWords, useSettingsSave, warningWords } from "./settings-save"
import { useWords } from "../shared/words"
import { connectionForm, type ConnectionForm, connectionInput, takesSecrets } from "./connection-form"
import type { ConnectionCheck, CryptoSettings, EncryptionKeyState } from "../../http-contract"
import { FormDrawer } from "../shared/form"
import { AuthFields } from "./auth-fields"
import { EncryptionAlert } from "./notices"
import { SettingsFormProvider } from "./form-context"
import { OriginQuestion } from "./origin-question"
import { SecretInput, TextField } from "./text-field"

interface ConnectionDrawerProps {
  settings: CryptoSettings
  encryptionKey: EncryptionKeyState
  onClose: () => void
}

/** Address, secret key and sign-in; tested with the values on the form before they are saved. */
export function ConnectionDrawer({ settings, encryptionKey, onClose }: ConnectionDrawerProps) {
  const t = useWords()
  const [form, setForm] = useState(() => connectionForm(settings))
  const [discard, setDiscard] = useState(false)
  const { save, refuse, withNumbers, errors, isPending, originQuestion } = useSettingsSave(settings, onClose)
  const test = useTestConnection(settings.provider_id)

  const change = (part: Partial<ConnectionForm>) => {
    // A verdict on other values would mislead.
    test.reset()
    setForm((before) => ({ ...before, ...part }))
  }
  const input = () => connectionInput(form, settings)
  const numbers = { timeout_ms: form.timeoutMs }
  const { fields } = settings
  return (
    <FormDrawer
      onClose={onClose}
      title={t("settings.connection.editTitle")}
      submitLabel={t("common.save")}
      isSubmitting={isPending}
      // A header is removed by a button, which types nothing.
      isChanged={JSON.stringify(form) !== JSON.stringify(connectionForm(settings))}
      onSubmit={() =>
        withNumbers(numbers, () =>
          save({ ...input(), ...(discard ? { discard_unreadable_secrets: true } : {}) })
        )
      }
      extra={
        <Button
          type="button"
          size="small"
          variant="secondary"
          isLoading={test.isPending}
          onClick={() => withNumbers(numbers, () => test.mutate(input(), { onError: refuse }))}
        >
          {t("settings.connection.test")}
        </Button>
      }
    >
      <SettingsFormProvider value={{ settings, errors }}>
        {takesSecrets(form, settings) && <EncryptionAlert encryptionKey={encryptionKey} />}
        {Object.values(settings.secrets).some((secret) => secret?.unreadable) && (
          <DiscardChoice value={discard} onChange={setDiscard} />
        )}
        <TextField
          name="base_url"
          value={form.baseUrl}
          locked={fields.base_url.locked}
          hint={t("settings.fields.base_url_hint")}
          onChange={(baseUrl) => change({ baseUrl })}
        />
        <SecretInput
          name="secret_key"
          label={t("settings.fields.secret_key")}
          hint={t("settings.fields.secret_key_hint")}
          value={form.secretKey}
          onChange={(secretKey) => change({ secretKey })}
        />
        {form.secretKey !== "" && settings.secrets["secret_key"]?.is_set && (
          <KeepFormerKey value={form.keepFormerKey} onChange={(keepFormerKey) => change({ keepFormerKey })} />
        )}
        <AuthFields form={form} onChange={change} />
        <TextField
          name="timeout_ms"
          numeric
          value={form.timeoutMs}
          locked={fields.timeout_ms.locked}
          hint={t("settings.fields.timeout_ms_hint")}
          onChange={(timeoutMs) => change({ timeoutMs })}
        />
      </SettingsFormProvider>
      {originQuestion !== null && <OriginQuestion {...originQuestion} />}
      <TestResult check={test.data} problem={test.error === null ? null : problemWords(test.error, t)} />
    </FormDrawer>
  )
}

interface ChoiceProps {
  value: boolean
  onChange: (value: boolean) => void
}

function KeepFormerKey(props: ChoiceProps) {
  const t = useWords()
  return (
    <CheckboxField
      {...props}
      label={t("settings.fields.keep_former")}
      hint={t("settings.fields.keep_former_hint")}
    />
  )
}

function DiscardChoice(props: ChoiceProps) {
  const t = useWords()
  return (
    <CheckboxField
      {...props}
      label={t("settings.encryption.discard")}
      hint={t("settings.encryption.discardHint")}
    />
  )
}

function CheckboxField({ value, onChange, label, hint }: ChoiceProps & { label: string; hint: string }) {
  const id = useId()
  return (
    <div className="flex items-start gap-x-3">
      <Checkbox id={id} checked={value} onCheckedChange={(checked) => onChange(checked === true)} />
      <div className="flex flex-col">
        <Label htmlFor={id} size="small" weight="plus">
          {label}
        </Label>
        <span className="txt-small text-ui-fg-subtle text-pretty">{hint}</span>
      </div>
    </div>
  )
}

/** What testing the form's values found, in words. */
function TestResult({ check, problem }: { check: ConnectionCheck | undefined; problem: string | null }) {
  return (
    <div role="status">
      {problem !== null && <Alert variant="error">{problem}</Alert>}
      {check !== undefined && <CheckAlert check={check} />}
    </div>
  )
}

/** A connection check's verdict. */
export function CheckAlert({ check }: { check: ConnectionCheck }) {
  const t = useWords()
  return (
    <div className="flex flex-col gap-y-2">
      {check.ok ? (
        <Alert variant="success">
          {t("settings.connection.okBalances", { count: check.balances_count ?? 0, ms: check.duration_ms })}
        </Alert>
      ) : (
        <Alert variant="error">{t(`problems.${check.problem}`)}</Alert>
      )}
      {check.warnings.length > 0 && <Alert variant="warning">{warningWords(check.warnings, t)}</Alert>}
    </div>
  )
}
