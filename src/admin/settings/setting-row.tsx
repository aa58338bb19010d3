import { LockClosedSolidMini } from "@medusajs/icons"
import { Badge, Tooltip } from "@medusajs/ui"
import type { CryptoSettings, SettingValues } from "../../http-contract"
import { FactRow } from "../shared/layout"
import { useWords } from "../shared/words"
import { isShown, settingField, settingName, typedFrom } from "./setting-fields"

/** One setting as it is in force; of a secret whether it is there, never what it is. */
export function SettingRow({ name, settings }: { name: string; settings: CryptoSettings }) {
  const t = useWords()
  const field = settings.fields[name as keyof SettingValues] as
    CryptoSettings["fields"]["base_url"] | undefined
  if (!isShown(name, typedFrom(settings))) {
    return null
  }
  return (
    <FactRow name={settingName(name, t)}>
      {field === undefined ? (
        <SecretState name={name} settings={settings} />
      ) : (
        <span className="min-w-0 break-words">
          {field.value === null ? t("settings.notSet") : <SettingValue name={name} settings={settings} />}
        </span>
      )}
      {(field ?? settings.secrets[name])?.locked && <LockedMark />}
      {field?.locked === false && field.source === "default" && field.value !== null && (
        <Badge size="2xsmall">{t("settings.default")}</Badge>
      )}
    </FactRow>
  )
}

function SettingValue({ name, settings }: { name: string; settings: CryptoSettings }) {
  const t = useWords()
  const { choiceWords } = settingField(name)
  const shown = typedFrom(settings)[name]
  if (typeof shown === "boolean") {
    return t(shown ? "settings.yes" : "settings.no")
  }
  return choiceWords === undefined ? <bdi dir="ltr">{shown}</bdi> : t(choiceWords(shown ?? ""))
}

function SecretState({ name, settings }: { name: string; settings: CryptoSettings }) {
  const t = useWords()
  const secret = settings.secrets[name]
  if (secret?.unreadable) {
    return <span className="text-ui-fg-error">{t("settings.unreadable")}</span>
  }
  if (!secret?.is_set) {
    return <span>{t("settings.notSet")}</span>
  }
  const count = secret.count ?? 1
  return <span>{count > 1 ? t("settings.setCount", { count }) : t("settings.set")}</span>
}

/** A lock next to a value from medusa-config, and why it cannot be changed here. */
function LockedMark() {
  const t = useWords()
  return (
    <Tooltip content={t("settings.lockedHint")}>
      <span role="img" aria-label={t("settings.locked")} className="text-ui-fg-muted cursor-default">
        <LockClosedSolidMini aria-hidden />
      </span>
    </Tooltip>
  )
}
