import { CheckCircleSolid, CircleDottedLine, ExclamationCircleSolid, Loader } from "@medusajs/icons"
import { Badge, Container } from "@medusajs/ui"
import type { ReactElement } from "react"
import { type ChecklistLine, type LineState, useAuditLine, useChecklist } from "../../hooks/checklist"
import { useWords } from "../../hooks/words"
import type { CryptoSettings, EncryptionKeyState, Health } from "../../lib/settings-contract"
import { SectionHeading } from "../section-heading"

interface ChecklistProps {
  settings: CryptoSettings
  encryptionKey: EncryptionKeyState
  health: Health
}

const ICONS: Record<LineState, ReactElement> = {
  done: <CheckCircleSolid className="text-ui-tag-green-icon" />,
  todo: <CircleDottedLine className="text-ui-fg-muted" />,
  warning: <ExclamationCircleSolid className="text-ui-tag-orange-icon" />,
  pending: <Loader className="text-ui-fg-muted animate-spin" />,
}

/** From nothing to a working checkout: each line is green or says the next step. */
export function Checklist(props: ChecklistProps) {
  const t = useWords()
  const lines = useChecklist(props)
  const audit = useAuditLine(props.health)
  const done = lines.filter(({ state }) => state === "done").length
  return (
    <Container className="divide-y p-0">
      <SectionHeading title={t("settings.checklist.title")} subtitle={t("settings.checklist.subtitle")}>
        <Badge size="small" color={done === lines.length ? "green" : "grey"}>
          {t("settings.checklist.progress", { done, total: lines.length })}
        </Badge>
      </SectionHeading>
      <ol className="divide-y">
        {lines.map((line) => (
          <Line key={line.name} line={line} />
        ))}
        <Line line={audit} />
      </ol>
    </Container>
  )
}

function Line({ line: { name, state, said } }: { line: ChecklistLine }) {
  const t = useWords()
  return (
    <li className="flex items-start gap-x-3 px-6 py-3" data-line={name} data-state={state}>
      <span className="pt-0.5" role="img" aria-label={t(`settings.checklist.${state}`)}>
        {ICONS[state]}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-y-0.5">
        <span className="txt-compact-small-plus">{t(`settings.checklist.${name}`)}</span>
        <span className="txt-small text-ui-fg-subtle text-pretty break-words">{said}</span>
      </div>
    </li>
  )
}
