import { Alert, Button, Checkbox, Label } from "@medusajs/ui"
import { Fragment, useId, useState } from "react"
import type { ConnectionCheck, CryptoSettings, EncryptionKeyState } from "../../http-contract"
import { FormDrawer } from "../shared/form"
import { useWords } from "../shared/words"
import { authSecrets, connectionInput, headersFrom, takesSecrets } from "./connection-form"
import { HeaderFields } from "./header-fields"
import { OriginQuestion } from "./origin-question"
import { connectionFields } from "./setting-fields"
import { SettingInput } from "./setting-input"
import { useTestConnection } from "./settings"
import { problemWords, useSettingsForm, warningWords } from "./settings-form"

interface ConnectionDrawerProps {
  settings: CryptoSettings
  encryptionKey: EncryptionKeyState
  onClose: () => void
}

/** Address, secret key and sign-in; tested with the values on the form before they are saved. */
export function ConnectionDrawer({ settings, encryptionKey, onClose }: ConnectionDrawerProps) {
  const t = useWords()
  const form = useSettingsForm(settings, onClose)
  const [headers, setHeaders] = useState(() => headersFrom(settings))
  const test = useTestConnection(settings.provider_id)
  const { typed } = form
  /** A verdict on other values would mislead. */
  const afterReset =
    <Given extends unknown[]>(change: (...given: Given) => void) =>
    (...given: Given) => {
      test.reset()
      change(...given)
    }
  const type = afterReset(form.type)
  const names = connectionFields(authSecrets(typed["auth_type"]))
  const input = () => connectionInput(typed, headers, settings)
  const choice = (name: string, label: string, hint: string) => (
    <CheckboxField
      label={t(label)}
      hint={t(hint)}
      value={typed[name] === true}
      onChange={(value) => type(name, value)}
    />
  )
  return (
    <FormDrawer
      onClose={onClose}
      title={t("settings.connection.editTitle")}
      submitLabel={t("common.save")}
      isSubmitting={form.isPending}
      // A header is removed by a button, which types nothing.
      isChanged={form.isChanged || JSON.stringify(headers) !== JSON.stringify(headersFrom(settings))}
      onSubmit={() =>
        form.withNumbers(names, () =>
          form.save({ ...input(), ...(typed["discard"] ? { discard_unreadable_secrets: true } : {}) })
        )
      }
      extra={
        <Button
          type="button"
          size="small"
          variant="secondary"
          isLoading={test.isPending}
          onClick={() => form.withNumbers(names, () => test.mutate(input(), { onError: form.refuse }))}
        >
          {t("settings.connection.test")}
        </Button>
      }
    >
      {takesSecrets(typed, headers, settings) && <EncryptionAlert encryptionKey={encryptionKey} />}
      {Object.values(settings.secrets).some((secret) => secret?.unreadable) &&
        choice("discard", "settings.encryption.discard", "settings.encryption.discardHint")}
      {names.map((name) => (
        <Fragment key={name}>
          <SettingInput name={name} form={{ ...form, type }} />
          {name === "secret_key" &&
            typed["secret_key"] &&
            settings.secrets["secret_key"]?.is_set &&
            choice("keep_former", "settings.fields.keep_former", "settings.fields.keep_former_hint")}
          {name === "auth_type" && typed["auth_type"] === "headers" && (
            <HeaderFields form={form} headers={headers} onChange={afterReset(setHeaders)} />
          )}
        </Fragment>
      ))}
      {form.originQuestion !== null && <OriginQuestion {...form.originQuestion} />}
      <div role="status">
        <TestResult test={test} />
      </div>
    </FormDrawer>
  )
}

interface CheckboxFieldProps {
  label: string
  hint: string
  value: boolean
  onChange: (value: boolean) => void
}

function CheckboxField({ value, onChange, label, hint }: CheckboxFieldProps) {
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

/** Says plainly that secrets cannot be kept, and why. */
export function EncryptionAlert({ encryptionKey: { state } }: { encryptionKey: EncryptionKeyState }) {
  const t = useWords()
  return state === "present" ? null : <Alert variant="warning">{t(`settings.encryption.${state}`)}</Alert>
}

/** What a test of the connection found, in words. */
export function TestResult({
  test: { data: check, error },
}: {
  test: { data: ConnectionCheck | undefined; error: Error | null }
}) {
  const t = useWords()
  if (error !== null) {
    return <Alert variant="error">{problemWords(error, t)}</Alert>
  }
  if (check === undefined) {
    return null
  }
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
