import { useDate } from "@medusajs/dashboard/hooks"
import { Alert } from "@medusajs/ui"
import { useLocation } from "react-router-dom"
import type { ReconciliationRun } from "../../http-contract"
import { formatCount } from "../shared/figures"
import { FigureTable, SectionHeading } from "../shared/layout"
import { Status, TextLink } from "../shared/values"
import { useWords } from "../shared/words"

const COLORS = {
  complete: "green",
  incomplete: "orange",
  failed: "red",
  interrupted: "red",
  running: "grey",
} as const

/** Says that the newest run compared nothing, and that what is shown below is older. */
export function LastRunNotice({ runs }: { runs: ReconciliationRun[] }) {
  const t = useWords()
  const { getFullDate } = useDate()
  const ended = runs.find(({ outcome }) => outcome !== "running")
  if (ended?.outcome !== "failed" && ended?.outcome !== "interrupted") {
    return null
  }
  const date = getFullDate({ date: ended.started_at, includeTime: true })
  const isInterrupted = ended.outcome === "interrupted"
  const why = t(isInterrupted ? "reconciliation.wasInterrupted" : `problems.${ended.problem ?? "broken"}`)
  const hasEarlier = runs.some(({ listed }) => listed !== null)
  return (
    <div className="px-6 py-4" role="alert" data-last-run="failed">
      <Alert variant="error">
        {t("reconciliation.notCompared", { date, why })}
        {hasEarlier && ` ${t("reconciliation.earlierShown")}`}
      </Alert>
    </div>
  )
}

/** The stored runs, the newest first: the result of each, and who or what started it. */
export function ReconciliationRuns({ runs, shown }: { runs: ReconciliationRun[]; shown: string | null }) {
  const t = useWords()
  const { getFullDate } = useDate()
  const { search } = useLocation()
  if (runs.length === 0) {
    return null
  }
  const addressOf = (id: string) => {
    const address = new URLSearchParams(search)
    address.set("run", id)
    return `?${address.toString()}`
  }
  const starter = ({ type, name }: ReconciliationRun["started_by"]) =>
    name === null ? (
      t(`reconciliation.startedBy.${type}`)
    ) : (
      <bdi>{type === "api_key" ? t("reconciliation.startedBy.namedKey", { name }) : name}</bdi>
    )
  return (
    <section aria-label={t("reconciliation.runs")}>
      <SectionHeading title={t("reconciliation.runs")} subtitle={t("reconciliation.runsHint")} />
      <FigureTable
        label={t("reconciliation.runs")}
        rows={runs}
        rowKey={({ id }) => id}
        rowProps={({ id, outcome }) => ({
          "data-outcome": outcome,
          "aria-current": id === shown || undefined,
        })}
        columns={[
          {
            header: t("reconciliation.runColumns.started"),
            className: "whitespace-nowrap",
            cell: ({ id, listed, started_at }) => {
              const started = getFullDate({ date: started_at, includeTime: true })
              return listed === null || id === shown ? (
                started
              ) : (
                <TextLink to={addressOf(id)}>{started}</TextLink>
              )
            },
          },
          {
            header: t("reconciliation.runColumns.outcome"),
            cell: ({ outcome }) => (
              <Status color={COLORS[outcome]}>{t(`reconciliation.outcome.${outcome}`)}</Status>
            ),
          },
          { header: t("reconciliation.runColumns.listed"), cell: ({ listed }) => formatCount(listed) },
          { header: t("reconciliation.runColumns.findings"), cell: ({ findings }) => formatCount(findings) },
          {
            header: t("reconciliation.runColumns.startedBy"),
            className: "whitespace-nowrap",
            cell: ({ started_by }) => starter(started_by),
          },
        ]}
      />
    </section>
  )
}
