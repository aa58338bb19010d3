import { useDate } from "@medusajs/dashboard/hooks"
import { Table, Text } from "@medusajs/ui"
import { useWords } from "../shared/words"
import type { ListReport, ReportRow } from "../../http-contract"
import { FactRow, ScrollRegion } from "../shared/layout"
import { formatCount } from "../shared/figures"
import { Status, TextLink } from "../shared/values"

const GAPS = ["fewer_than_stated", "call_limit", "record_without_id"]

/** What the last comparison found, and what was done about it. */
export function ReconciliationReport({ report }: { report: ListReport | null }) {
  const t = useWords()
  const { getFullDate } = useDate()
  if (report === null) {
    return (
      <Text size="small" className="text-ui-fg-subtle px-6 py-8 text-center">
        {t("reconciliation.none")}
      </Text>
    )
  }
  const { counts } = report
  const unreadable = counts.unreadable
  const finished = getFullDate({ date: report.finished_at, includeTime: true })
  return (
    <>
      <dl className="divide-y">
        <FactRow name={t("reconciliation.finished", { date: finished })}>
          <Status color={report.complete ? "green" : "orange"}>
            {t(report.complete ? "reconciliation.complete" : "reconciliation.incomplete")}
          </Status>
        </FactRow>
        {report.incomplete_because.map(({ page, reason }, index) => (
          <FactRow key={index} name={t("reconciliation.incomplete")}>
            {GAPS.includes(reason)
              ? t(`reconciliation.gap.${reason}`)
              : t("reconciliation.incompleteReason", {
                  page: page ?? "–",
                  reason: t("reconciliation.gap.other"),
                })}
          </FactRow>
        ))}
        <FactRow name={t("reconciliation.listed")}>{formatCount(counts.listed)}</FactRow>
        <FactRow name={t("reconciliation.known")}>{formatCount(counts.known)}</FactRow>
        <FactRow name={t("reconciliation.others")}>{formatCount(counts.others)}</FactRow>
        <FactRow name={t("reconciliation.paidAndUnknown")}>{formatCount(counts.paid_and_unknown)}</FactRow>
        <FactRow name={t("reconciliation.unreadable")}>
          {unreadable === 0 ? 0 : <Status color="orange">{formatCount(unreadable)}</Status>}
        </FactRow>
      </dl>
      {report.rows.length === 0 ? (
        <Text size="small" className="text-ui-fg-subtle px-6 py-8 text-center">
          {t(agreement(report))}
        </Text>
      ) : (
        <Findings rows={report.rows} />
      )}
      {report.rows_left_out > 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("reconciliation.leftOut", { count: report.rows_left_out })}
        </Text>
      )}
    </>
  )
}

/** Nothing was found: only where the whole list was seen does that mean that both sides agree. */
function agreement({ complete, counts }: ListReport): string {
  if (complete) {
    return "reconciliation.noFindings"
  }
  return counts.listed === 0 ? "reconciliation.nothingRead" : "reconciliation.noFindingsInPart"
}

function Findings({ rows }: { rows: ReportRow[] }) {
  const t = useWords()
  return (
    <ScrollRegion label={t("reconciliation.findings")}>
      <Table>
        <Table.Header>
          <Table.Row>
            {["payment", "finding", "status", "done"].map((name) => (
              <Table.HeaderCell key={name} className="text-start">
                {t(`reconciliation.columns.${name}`)}
              </Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map((row) => (
            <Table.Row key={`${row.payment_request_id}-${row.finding}`}>
              <Table.Cell className="py-2">
                <PaymentCell row={row} />
              </Table.Cell>
              <Table.Cell className="whitespace-nowrap">
                {t(`reconciliation.finding.${row.finding}.title`)}
              </Table.Cell>
              <Table.Cell>{row.listed_status ?? "–"}</Table.Cell>
              <Table.Cell className="text-ui-fg-subtle min-w-64 whitespace-normal py-2">
                {t(`reconciliation.finding.${row.finding}.done`, { fields: row.fields?.join(", ") })}
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </ScrollRegion>
  )
}

function PaymentCell({ row }: { row: ReportRow }) {
  const id = <bdi dir="ltr">{row.payment_request_id}</bdi>
  return row.id === null ? id : <TextLink to={`/crypto-payments/${row.id}`}>{id}</TextLink>
}
