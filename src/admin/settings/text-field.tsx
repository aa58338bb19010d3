import { Input } from "@medusajs/ui"
import { useWords } from "../shared/words"
import { FormField } from "../shared/form"
import { useSettingsForm } from "./form-context"

interface TextFieldProps {
  /** The API's name of the setting: label, lock and error are found by it. */
  name: string
  value: string
  onChange: (value: string) => void
  locked: boolean
  hint?: string
  placeholder?: string
  numeric?: boolean
}

/** A setting that is text; disabled, with the reason, where medusa-config gives it. */
export function TextField({ name, value, onChange, locked, hint, placeholder, numeric }: TextFieldProps) {
  const t = useWords()
  const { errors } = useSettingsForm()
  return (
    <FormField
      label={t(`settings.fields.${name}`)}
      hint={locked ? t("settings.lockedHint") : hint}
      error={errors[name]}
    >
      {(control) => (
        <Input
          {...control}
          dir="ltr"
          autoComplete="off"
          inputMode={numeric ? "numeric" : undefined}
          spellCheck={false}
          disabled={locked}
          placeholder={placeholder}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FormField>
  )
}

interface SecretInputProps {
  name: string
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
}

/** A secret to write, never to read: empty keeps what is stored. */
export function SecretInput({ name, label, hint, value, onChange }: SecretInputProps) {
  const t = useWords()
  const { settings, errors } = useSettingsForm()
  const secret = settings.secrets[name]
  const isLocked = secret?.locked ?? false
  const kept = secret?.is_set ? t("settings.fields.secret_replace") : undefined
  return (
    <FormField label={label} hint={isLocked ? t("settings.lockedHint") : (kept ?? hint)} error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          // The field's own button would offer to show what is not here.
          type={isLocked ? "text" : "password"}
          dir="ltr"
          // Not a sign-in of this site: no browser shall fill it in or keep it.
          autoComplete="new-password"
          disabled={isLocked}
          placeholder={secret?.is_set ? "••••••••" : undefined}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FormField>
  )
}
