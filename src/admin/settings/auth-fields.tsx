import { Plus, Trash } from "@medusajs/icons"
import { Button, IconButton, Input, Select } from "@medusajs/ui"
import { useDirection, useWords } from "../shared/words"
import { AUTH_TYPES, type AuthType } from "../../gateway/auth-types"
import { authSecrets, type ConnectionForm } from "./connection-form"
import { FormField } from "../shared/form"
import { useSettingsForm } from "./form-context"
import { SecretInput, TextField } from "./text-field"

interface AuthFieldsProps {
  form: ConnectionForm
  onChange: (change: Partial<ConnectionForm>) => void
}

/** How requests to the gateway are signed in, and the secrets that takes. */
export function AuthFields({ form, onChange }: AuthFieldsProps) {
  const direction = useDirection()
  const t = useWords()
  const { settings, errors } = useSettingsForm()
  const { auth_type: type, auth_username: username } = settings.fields
  return (
    <>
      <FormField
        label={t("settings.fields.auth_type")}
        hint={t(type.locked ? "settings.lockedHint" : "settings.fields.auth_type_hint")}
        error={errors["auth"] ?? errors["auth_type"]}
      >
        {({ id, ...aria }) => (
          <Select
            dir={direction}
            value={form.authType}
            disabled={type.locked}
            onValueChange={(value) => onChange({ authType: value as AuthType })}
          >
            <Select.Trigger id={id} {...aria}>
              <Select.Value />
            </Select.Trigger>
            <Select.Content>
              {(form.authType === "function" ? ["function"] : Object.keys(AUTH_TYPES)).map((value) => (
                <Select.Item key={value} value={value}>
                  {t(`settings.authType.${value}`)}
                </Select.Item>
              ))}
            </Select.Content>
          </Select>
        )}
      </FormField>
      {form.authType === "basic" && (
        <TextField
          name="auth_username"
          value={form.username}
          locked={username.locked}
          onChange={(value) => onChange({ username: value })}
        />
      )}
      {authSecrets(form.authType).map((name) => (
        <SecretInput
          key={name}
          name={name}
          label={t(`settings.fields.${name}`)}
          {...(name === "auth.secret_key" ? { hint: t("settings.fields.auth.secret_key_hint") } : {})}
          value={form.secrets[name] ?? ""}
          onChange={(value) => onChange({ secrets: { ...form.secrets, [name]: value } })}
        />
      ))}
      {form.authType === "headers" && <HeaderFields form={form} onChange={onChange} />}
    </>
  )
}

/** Headers of one's own: names and values; an empty value keeps the stored one of that name. */
function HeaderFields({ form, onChange }: AuthFieldsProps) {
  const t = useWords()
  const { settings, errors } = useSettingsForm()
  const isLocked = settings.fields.auth_type.locked
  const secretOf = ({ name }: { name: string }) => settings.secrets[`auth.headers.${name}`]
  const change = (index: number, part: Partial<ConnectionForm["headers"][number]>) =>
    onChange({ headers: form.headers.map((header, i) => (i === index ? { ...header, ...part } : header)) })
  return (
    <div className="flex flex-col gap-y-3">
      {form.headers.map((header, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-x-2">
          <Input
            dir="ltr"
            aria-label={t("settings.fields.header_name")}
            placeholder={t("settings.fields.header_name")}
            disabled={isLocked}
            value={header.name}
            onChange={({ target }) => change(index, { name: target.value })}
          />
          <Input
            dir="ltr"
            // As in SecretInput: no button to show what is not here.
            type={secretOf(header)?.locked ? "text" : "password"}
            autoComplete="new-password"
            aria-label={t("settings.fields.header_value")}
            aria-invalid={errors[`auth.headers.${header.name}`] !== undefined}
            placeholder={secretOf(header)?.is_set ? "••••••••" : t("settings.fields.header_value")}
            disabled={secretOf(header)?.locked ?? false}
            value={header.value}
            onChange={({ target }) => change(index, { value: target.value })}
          />
          <IconButton
            type="button"
            variant="transparent"
            disabled={isLocked}
            aria-label={t("settings.fields.remove_header")}
            onClick={() => onChange({ headers: form.headers.filter((_, i) => i !== index) })}
          >
            <Trash />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          type="button"
          size="small"
          variant="secondary"
          disabled={isLocked}
          onClick={() => onChange({ headers: [...form.headers, { name: "", value: "" }] })}
        >
          <Plus />
          {t("settings.fields.add_header")}
        </Button>
      </div>
    </div>
  )
}
