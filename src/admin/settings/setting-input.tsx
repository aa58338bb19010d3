import { Input, Switch } from "@medusajs/ui"
import type { ComponentProps } from "react"
import type { SettingValues } from "../../http-contract"
import { Choice, FormField } from "../shared/form"
import { useWords } from "../shared/words"
import { isShown, settingField, settingName } from "./setting-fields"
import type { SettingsForm } from "./settings-form"

/** The field of a setting; disabled, with the reason, where medusa-config gives it. */
export function SettingInput({ name, form }: { name: string; form: SettingsForm }) {
  const t = useWords()
  const { settings, errors, typed, type } = form
  const field = settingField(name)
  const secret = settings.secrets[name]
  const locked =
    (field.kind === "secret" ? secret : settings.fields[name as keyof SettingValues])?.locked === true
  const value = typed[name] ?? ""
  const hint = secret?.is_set
    ? "settings.fields.secret_replace"
    : (field.choiceHints?.[String(value)] ?? field.hint)
  if (!isShown(name, typed)) {
    return null
  }
  return (
    <FormField
      label={settingName(name, t)}
      hint={locked ? t("settings.lockedHint") : hint && t(hint)}
      error={errors[name]}
    >
      {(control) => {
        switch (field.kind) {
          case "switch":
            return (
              <Switch
                {...control}
                disabled={locked}
                checked={value === true}
                onCheckedChange={(checked) => type(name, checked)}
              />
            )
          case "choice":
            return (
              <Choice
                {...control}
                size="base"
                disabled={locked}
                value={String(value)}
                onChange={(chosen) => type(name, chosen)}
                options={(value === "function" ? ["function"] : (field.choices ?? [])).map((choice) => ({
                  value: choice,
                  label: t(field.choiceWords?.(choice) ?? choice),
                }))}
              />
            )
          case "secret":
            return (
              <SecretInput
                {...control}
                isSet={secret?.is_set === true}
                locked={locked}
                value={String(value)}
                onChange={(typedValue) => type(name, typedValue)}
              />
            )
          default:
            return (
              <Input
                {...control}
                dir="ltr"
                autoComplete="off"
                inputMode={field.kind === "number" ? "numeric" : undefined}
                spellCheck={false}
                disabled={locked}
                value={String(value)}
                onChange={({ target }) => type(name, target.value)}
              />
            )
        }
      }}
    </FormField>
  )
}

interface SecretInputProps extends Pick<
  ComponentProps<typeof Input>,
  "id" | "aria-label" | "aria-describedby" | "aria-invalid" | "placeholder"
> {
  isSet: boolean
  locked: boolean
  value: string
  onChange: (value: string) => void
}

/** A secret to write, never to read: empty keeps what is stored. */
export function SecretInput({ isSet, locked, onChange, placeholder, ...input }: SecretInputProps) {
  return (
    <Input
      {...input}
      // The field's own button would offer to show what is not here.
      type={locked ? "text" : "password"}
      dir="ltr"
      // Not a sign-in of this site: no browser shall fill it in or keep it.
      autoComplete="new-password"
      disabled={locked}
      placeholder={isSet ? "••••••••" : placeholder}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
