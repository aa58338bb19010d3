import { useDate } from "@medusajs/dashboard/hooks"
import {} from "@medusajs/ui"
import type { ListReport, ReportRow } from "../../http-contract"
import { formatCount } from "../shared/figures"
import { Facts, FigureTable, Remark, Subtle } from "../shared/layout"
import { Status, TextLink } from "../shared/values"
import { useWords } from "../shared/words"

const GAPS = ["fewer_than_stated", "call_limit", "record_without_id"]

/** What the last comparison found, and what was done about it. */
export function ReconciliationReport({ report }: { report: ListReport | null }) {
  const t = useWords()
  const { getFullDate } = useDate()
  if (report === null) {
    return <Nothing words={t("reconciliation.none")} />
  }
  const { complete, counts, rows, rows_left_out: leftOut } = report
  const unreadable = formatCount(counts.unreadable)
  const gap = ({ page, reason }: ListReport["incomplete_because"][number]) =>
    GAPS.includes(reason)
      ? t(`reconciliation.gap.${reason}`)
      : t("reconciliation.incompleteReason", { page: page ?? "–", reason: t("reconciliation.gap.other") })
  return (
    <>
      <Facts
        className="divide-y"
        facts={[
          [
            t("reconciliation.finished", {
              date: getFullDate({ date: report.finished_at, includeTime: true }),
            }),
            <Status color={complete ? "green" : "orange"}>
              {t(complete ? "reconciliation.complete" : "reconciliation.incomplete")}
            </Status>,
          ],
          ...report.incomplete_because.map((cause) => [t("reconciliation.incomplete"), gap(cause)] as const),
          [t("reconciliation.listed"), formatCount(counts.listed)],
          [t("reconciliation.known"), formatCount(counts.known)],
          [t("reconciliation.others"), formatCount(counts.others)],
          [t("reconciliation.paidAndUnknown"), formatCount(counts.paid_and_unknown)],
          [
            t("reconciliation.unreadable"),
            counts.unreadable === 0 ? unreadable : <Status color="orange">{unreadable}</Status>,
          ],
        ]}
      />
      {rows.length === 0 ? <Nothing words={t(agreement(report))} /> : <Findings rows={rows} />}
      {leftOut > 0 && <Remark>{t("reconciliation.leftOut", { count: leftOut })}</Remark>}
    </>
  )
}

function Nothing({ words }: { words: string }) {
  return <Subtle className="px-6 py-8 text-center">{words}</Subtle>
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
    <FigureTable
      label={t("reconciliation.findings")}
      rows={rows}
      rowKey={({ payment_request_id: id, finding }) => `${id}-${finding}`}
      columns={[
        {
          header: t("reconciliation.columns.payment"),
          className: "py-2",
          cell: ({ id, payment_request_id }) => {
            const name = <bdi dir="ltr">{payment_request_id}</bdi>
            return id === null ? name : <TextLink to={`/crypto-payments/${id}`}>{name}</TextLink>
          },
        },
        {
          header: t("reconciliation.columns.finding"),
          className: "whitespace-nowrap",
          cell: ({ finding }) => t(`reconciliation.finding.${finding}.title`),
        },
        {
          header: t("reconciliation.columns.status"),
          cell: ({ listed_status: status }) => status ?? "–",
        },
        {
          header: t("reconciliation.columns.done"),
          className: "text-ui-fg-subtle min-w-64 whitespace-normal py-2",
          cell: ({ finding, fields }) =>
            t(`reconciliation.finding.${finding}.done`, { fields: fields?.join(", ") }),
        },
      ]}
    />
  )
}
