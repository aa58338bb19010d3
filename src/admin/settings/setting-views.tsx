import { LockClosedSolidMini } from "@medusajs/icons"
import { clx, Hint, Input, Switch, Tooltip } from "@medusajs/ui"
import type { ChangeEvent, ComponentProps, ReactNode } from "react"
import type { CryptoSettings, Field, SecretField, SettingValues } from "../../http-contract"
import { headerSecretName } from "../../modules/crypto-payments/settings/names"
import { settingOf } from "../../modules/crypto-payments/settings/setting"
import { FIAT, formatFiat } from "../shared/figures"
import { Choice, FormField } from "../shared/form"
import { type Fact, Mark, Subtle } from "../shared/layout"
import { t } from "../shared/words"
import * as setting from "./setting-fields"
import type { SettingsForm } from "./settings"

const fieldOf = (name: string, { fields }: CryptoSettings) =>
  (fields as Partial<Record<string, Field<SettingValues[keyof SettingValues]>>>)[name]

type InputProps = { name: string; form: SettingsForm }

/** The field of a setting; disabled, with the reason, where medusa-config gives the value. */
export function SettingInput({ name, form }: InputProps) {
  const { settings, errors, typed, type } = form
  const kind = setting.kindOf(name)
  const secret = settings.secrets[name]
  const disabled = (secret ?? fieldOf(name, settings))?.locked === true
  const value = setting.textOf(typed[name])
  if (kind === "headers") {
    return <HeaderFields name={name} form={form} />
  }
  const format = secret?.is_set ? t("settings.fields.secret_replace") : setting.settingHint(name, value)
  const hint = disabled ? t("settings.errors.locked") : format
  return !setting.isShown(name, typed) ? null : (
    <FormField label={setting.settingName(name)} hint={hint} error={errors[name]}>
      {(control) => {
        const change = (changed: string | boolean) => type(name, changed)
        const shown = { ...control, disabled }
        const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => change(target.value)
        const field = { ...shown, value, onChange }
        switch (kind) {
          case "switch":
            // Its knob moves to the right in every text direction.
            return <Switch {...shown} dir="ltr" checked={typed[name] === true} onCheckedChange={change} />
          case "choice": {
            const offered = value === "function" ? [value] : (settingOf(name)?.choices ?? [])
            const label = (choice: string) => t(`settings.choices.${name}.${choice}`)
            const options = offered.map((choice) => ({ value: choice, label: label(choice) }))
            return <Choice size="base" {...shown} value={value} onChange={change} options={options} />
          }
          case "amounts":
            return <AmountFields name={name} form={form} {...shown} />
          case "secret":
            return <Input {...field} {...secretInput(secret, disabled)} />
          default:
            return <Input {...PLAIN} {...field} inputMode={kind === "number" ? "numeric" : undefined} />
        }
      }}
    </FormField>
  )
}

/** An amount for each currency, below one label, hint and error. The problem may be of one of them. */
function AmountFields({ name, form, id, ...shown }: InputProps & Omit<ComponentProps<typeof Input>, "form">) {
  const amounts = (form.typed[name] || {}) as setting.SumByCurrency
  const named = FIAT.find(({ label }) => form.problem?.includes(label))?.value
  const isMeant = (currency: string) => Boolean(amounts[currency]) && (named ?? currency) === currency
  return (
    <div className="grid grid-cols-2 gap-x-4">
      {FIAT.map(({ value: currency, label }, index) => (
        <div key={currency} className="flex items-center gap-x-2 [&>:first-child]:flex-1">
          <Input
            {...PLAIN}
            {...shown}
            {...(index === 0 && { id })}
            aria-invalid={shown["aria-invalid"] === true && isMeant(currency)}
            aria-label={`${setting.settingName(name)}: ${label}`}
            inputMode="decimal"
            placeholder={t(`settings.empty.${name}`)}
            value={amounts[currency] ?? ""}
            onChange={({ target }) => form.type(name, { ...amounts, [currency]: target.value })}
          />
          <Subtle>{label}</Subtle>
        </div>
      ))}
    </div>
  )
}

function HeaderFields({ name: field, form: { settings, errors, typed, type } }: InputProps) {
  const named = (words: string) => ({ "aria-label": words, placeholder: words })
  const disabled = settings.fields.auth_type.locked
  const headers = setting.typedHeaders(typed)
  // The last row is for another one.
  const shown = disabled || headers.at(-1)?.name === "" ? headers : [...headers, { name: "", value: "" }]
  const changed = (index: number, part: Partial<setting.TypedHeader>) =>
    shown.map((header, i) => (i === index ? { ...header, ...part } : header))
  return (
    <div className="flex flex-col gap-y-3">
      {shown.map(({ name, value }, index) => {
        const secret = settings.secrets[headerSecretName(name)]
        return (
          <div key={index} className="grid grid-cols-2 items-start gap-x-2">
            <Input
              {...named(t("settings.fields.header_name"))}
              {...PLAIN}
              disabled={disabled}
              value={name}
              onChange={({ target }) => type(field, changed(index, { name: target.value }))}
            />
            <Input
              {...named(t("settings.fields.header_value"))}
              {...secretInput(secret, secret?.locked === true)}
              aria-invalid={errors[headerSecretName(name)] !== undefined}
              value={value}
              onChange={({ target }) => type(field, changed(index, { value: target.value }))}
            />
          </div>
        )
      })}
      <Hint>{t("settings.fields.headers_hint")}</Hint>
    </div>
  )
}

/** An address, a name or a number: left to right in every language. */
const PLAIN = { dir: "ltr", autoComplete: "off", spellCheck: false } as const

/** A secret is entered and never shown: an empty field keeps the stored one. */
const secretInput = (secret: SecretField | undefined, disabled: boolean) => ({
  ...PLAIN,
  disabled,
  // The field's own button would offer to show a secret that is not here.
  type: disabled ? "text" : "password",
  // It is no password of this site: browsers must not fill it in or save it.
  autoComplete: "new-password",
  ...(secret?.is_set && { placeholder: "••••••••" }),
})

export function settingFact(name: string, settings: CryptoSettings, extra?: ReactNode): Fact {
  const field = fieldOf(name, settings)
  const secret = settings.secrets[name]
  const typed = setting.typedFrom(settings)
  const value = (
    <>
      <span className={clx("min-w-0 break-words", secret?.unreadable && "text-ui-fg-error")}>
        {field === undefined ? secretState(secret) : settingState(name, typed[name])}
      </span>
      {(field ?? secret)?.locked && (
        <Tooltip content={t("settings.errors.locked")}>
          <LockClosedSolidMini role="img" aria-label={t("settings.locked")} className="text-ui-fg-muted" />
        </Tooltip>
      )}
      {field?.locked === false && field.source === "default" && field.value !== null && (
        <Mark>{t("settings.default")}</Mark>
      )}
      {extra}
    </>
  )
  return [setting.settingName(name), setting.isShown(name, typed) && value]
}

function settingState(name: string, value: setting.Typed[string]) {
  if (typeof value === "boolean") {
    return t(value ? "settings.yes" : "settings.no")
  }
  const amounts = Object.entries(typeof value === "object" ? (value as setting.SumByCurrency) : {})
  const sums = amounts.map(([currency, sum = ""]) => formatFiat(sum, currency))
  const text = setting.textOf(value) || sums.join(", ")
  const isChoice = setting.kindOf(name) === "choice"
  const shown = isChoice ? t(`settings.choices.${name}.${text}`) : <bdi dir="ltr">{text}</bdi>
  return text === "" ? t(`settings.empty.${name}`, { defaultValue: t("settings.notSet") }) : shown
}

const secretState = ({ unreadable, is_set }: Partial<SecretField> = {}): string =>
  t(`settings.${unreadable ? "unreadable" : is_set ? "set" : "notSet"}`)
