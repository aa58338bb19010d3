import { Plus, Trash } from "@medusajs/icons"
import { Button, IconButton, Input } from "@medusajs/ui"
import { headerSecretName } from "../../modules/crypto-payments/settings/names"
import { useWords } from "../shared/words"
import type { TypedHeader } from "./connection-form"
import { SecretInput } from "./setting-input"
import type { SettingsForm } from "./settings-form"

interface HeaderFieldsProps {
  form: SettingsForm
  headers: TypedHeader[]
  onChange: (headers: TypedHeader[]) => void
}

/** Headers of one's own: names and values. */
export function HeaderFields({ form: { settings, errors }, headers, onChange }: HeaderFieldsProps) {
  const t = useWords()
  const isLocked = settings.fields.auth_type.locked
  const change = (index: number, part: Partial<TypedHeader>) =>
    onChange(headers.map((header, i) => (i === index ? { ...header, ...part } : header)))
  return (
    <div className="flex flex-col gap-y-3">
      {headers.map(({ name, value }, index) => {
        const secret = settings.secrets[headerSecretName(name)]
        return (
          <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-x-2">
            <Input
              dir="ltr"
              aria-label={t("settings.fields.header_name")}
              placeholder={t("settings.fields.header_name")}
              disabled={isLocked}
              value={name}
              onChange={({ target }) => change(index, { name: target.value })}
            />
            <SecretInput
              aria-label={t("settings.fields.header_value")}
              aria-invalid={errors[headerSecretName(name)] !== undefined}
              placeholder={t("settings.fields.header_value")}
              isSet={secret?.is_set === true}
              locked={secret?.locked === true}
              value={value}
              onChange={(typed) => change(index, { value: typed })}
            />
            <IconButton
              type="button"
              variant="transparent"
              disabled={isLocked}
              aria-label={t("settings.fields.remove_header")}
              onClick={() => onChange(headers.filter((_, i) => i !== index))}
            >
              <Trash />
            </IconButton>
          </div>
        )
      })}
      <div>
        <Button
          type="button"
          size="small"
          variant="secondary"
          disabled={isLocked}
          onClick={() => onChange([...headers, { name: "", value: "" }])}
        >
          <Plus />
          {t("settings.fields.add_header")}
        </Button>
      </div>
    </div>
  )
}
