import { LockClosedSolidMini } from "@medusajs/icons"
import { Badge, Tooltip } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useWords } from "../shared/words"
import type { Field, SecretField } from "../../http-contract"
import { FactRow } from "../shared/layout"

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

interface SettingRowProps<T> {
  name: string
  field: Field<T>
  show?: (value: T) => ReactNode
}

/** One setting as it is in force. */
export function SettingRow<T extends string | number | boolean | string[]>({
  name,
  field,
  show = (value) => <bdi dir="ltr">{String(value)}</bdi>,
}: SettingRowProps<T>) {
  const t = useWords()
  return (
    <FactRow name={t(`settings.fields.${name}`)}>
      <span className="min-w-0 break-words">
        {field.value === null ? t("settings.notSet") : show(field.value)}
      </span>
      {field.locked && <LockedMark />}
      {!field.locked && field.source === "default" && field.value !== null && (
        <Badge size="2xsmall">{t("settings.default")}</Badge>
      )}
    </FactRow>
  )
}

/** Whether a secret is there; never what it is. */
export function SecretRow({ name, secret }: { name: string; secret: SecretField | undefined }) {
  if (secret === undefined) {
    return null
  }
  return (
    <FactRow name={name}>
      <SecretState secret={secret} />
      {secret.locked && <LockedMark />}
    </FactRow>
  )
}

function SecretState({ secret }: { secret: SecretField }) {
  const t = useWords()
  if (secret.unreadable) {
    return <span className="text-ui-fg-error">{t("settings.unreadable")}</span>
  }
  if (!secret.is_set) {
    return <span>{t("settings.notSet")}</span>
  }
  const count = secret.count ?? 1
  return <span>{count > 1 ? t("settings.setCount", { count }) : t("settings.set")}</span>
}
