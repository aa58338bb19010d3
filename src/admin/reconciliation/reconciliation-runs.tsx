import { useDate } from "@medusajs/dashboard/hooks"
import { Alert, StatusBadge, Table } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { useLocation } from "react-router-dom"
import { useWords, type Words } from "../shared/words"
import type { ReconciliationRun } from "../../http-contract"
import { formatCount } from "../shared/figures"
import { ScrollRegion, SectionHeading } from "../shared/layout"
import { Status, TextLink } from "../shared/values"

const COLORS: Record<ReconciliationRun["outcome"], ComponentProps<typeof StatusBadge>["color"]> = {
  complete: "green",
  incomplete: "orange",
  failed: "red",
  interrupted: "red",
  running: "grey",
}

/** Says that the newest run compared nothing, and that what is shown below is older. */
export function LastRunNotice({ runs }: { runs: ReconciliationRun[] }) {
  const t = useWords()
  const { getFullDate } = useDate()
  const ended = runs.find(({ outcome }) => outcome !== "running")
  if (ended === undefined || (ended.outcome !== "failed" && ended.outcome !== "interrupted")) {
    return null
  }
  const date = getFullDate({ date: ended.started_at, includeTime: true })
  const hasEarlier = runs.some(({ listed }) => listed !== null)
  return (
    <div className="px-6 py-4" role="alert" data-last-run="failed">
      <Alert variant="error">
        {t("reconciliation.notCompared", { date, why: whyNot(ended, t) })}
        {hasEarlier && ` ${t("reconciliation.earlierShown")}`}
      </Alert>
    </div>
  )
}

function whyNot({ outcome, problem }: ReconciliationRun, t: Words): string {
  if (outcome === "interrupted") {
    return t("reconciliation.wasInterrupted")
  }
  return t(`problems.${problem ?? "broken"}`)
}

/** The stored runs, the newest first: the result of each, and who or what started it. */
export function ReconciliationRuns({ runs, shown }: { runs: ReconciliationRun[]; shown: string | null }) {
  const t = useWords()
  if (runs.length === 0) {
    return null
  }
  return (
    <section aria-label={t("reconciliation.runs")}>
      <SectionHeading title={t("reconciliation.runs")} subtitle={t("reconciliation.runsHint")} />
      <ScrollRegion label={t("reconciliation.runs")}>
        <Table>
          <Table.Header>
            <Table.Row>
              {["started", "outcome", "listed", "findings", "startedBy"].map((name) => (
                <Table.HeaderCell key={name} className="text-start">
                  {t(`reconciliation.runColumns.${name}`)}
                </Table.HeaderCell>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {runs.map((run) => (
              <RunRow key={run.id} run={run} isShown={run.id === shown} />
            ))}
          </Table.Body>
        </Table>
      </ScrollRegion>
    </section>
  )
}

function RunRow({ run, isShown }: { run: ReconciliationRun; isShown: boolean }) {
  const t = useWords()
  const { getFullDate } = useDate()
  const { search } = useLocation()
  const address = new URLSearchParams(search)
  address.set("run", run.id)
  const started = getFullDate({ date: run.started_at, includeTime: true })
  const { type, name } = run.started_by
  return (
    <Table.Row data-outcome={run.outcome} aria-current={isShown || undefined}>
      <Table.Cell className="whitespace-nowrap">
        {run.listed === null || isShown ? (
          started
        ) : (
          <TextLink to={`?${address.toString()}`}>{started}</TextLink>
        )}
      </Table.Cell>
      <Table.Cell>
        <Status color={COLORS[run.outcome]}>{t(`reconciliation.outcome.${run.outcome}`)}</Status>
      </Table.Cell>
      <Table.Cell>{formatCount(run.listed)}</Table.Cell>
      <Table.Cell>{formatCount(run.findings)}</Table.Cell>
      <Table.Cell className="whitespace-nowrap">
        {name === null ? (
          t(`reconciliation.startedBy.${type}`)
        ) : (
          <bdi>{type === "api_key" ? t("reconciliation.startedBy.namedKey", { name }) : name}</bdi>
        )}
      </Table.Cell>
    </Table.Row>
  )
}
