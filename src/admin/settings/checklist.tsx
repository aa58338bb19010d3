import {
  CheckCircleSolid,
  CircleDottedLine,
  ExclamationCircleSolid,
  Loader,
  XCircleSolid,
} from "@medusajs/icons"
import { Badge, Button, Container } from "@medusajs/ui"
import { type ReactElement, useState } from "react"
import { SectionHeading } from "../shared/layout"
import { useWords } from "../shared/words"
import {
  type ChecklistFacts,
  type ChecklistLine,
  type LineState,
  useAuditLine,
  useChecklist,
} from "./checklist-lines"

const ICONS: Record<LineState, ReactElement> = {
  done: <CheckCircleSolid className="text-ui-tag-green-icon" />,
  todo: <CircleDottedLine className="text-ui-fg-muted" />,
  broken: <XCircleSolid className="text-ui-tag-red-icon" />,
  warning: <ExclamationCircleSolid className="text-ui-tag-orange-icon" />,
  pending: <Loader className="text-ui-fg-muted animate-spin" />,
}

/** From nothing to a working checkout: each line is green or says the next step. All green, it is one line. */
export function Checklist(props: ChecklistFacts) {
  const t = useWords()
  const lines = useChecklist(props)
  const audit = useAuditLine(props.health)
  const [isOpened, setOpened] = useState(false)
  const done = lines.filter(({ state }) => state === "done").length
  const isFinished = done === lines.length && ["done", "todo"].includes(audit.state)
  const isBroken = [...lines, audit].some(({ state }) => state === "broken")
  return (
    <Container className="divide-y p-0" data-checklist={isFinished ? "finished" : "unfinished"}>
      <SectionHeading
        title={t("settings.checklist.title")}
        subtitle={t(isFinished ? "settings.checklist.finished" : "settings.checklist.subtitle")}
      >
        <Badge size="small" color={isBroken ? "red" : done === lines.length ? "green" : "grey"}>
          {t("settings.checklist.progress", { done, total: lines.length })}
        </Badge>
        {isFinished && (
          <Button
            size="small"
            variant="transparent"
            aria-expanded={isOpened}
            onClick={() => setOpened(!isOpened)}
          >
            {t(isOpened ? "settings.checklist.hide" : "settings.checklist.show")}
          </Button>
        )}
      </SectionHeading>
      {(!isFinished || isOpened) && (
        <ol className="divide-y">
          {[...lines, audit].map((line) => (
            <Line key={line.name} line={line} />
          ))}
        </ol>
      )}
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
