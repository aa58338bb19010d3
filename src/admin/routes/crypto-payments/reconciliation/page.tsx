import { defineRouteConfig } from "@medusajs/admin-sdk"
import { useDate } from "@medusajs/dashboard/hooks"
import { Alert, toast } from "@medusajs/ui"
import type { ListReport, Reconciliation, ReportRow } from "../../../../http-contract"
import { formatCount } from "../../../shared/figures"
import { Action, Facts, FigureTable, Remark, SectionHeading, Subtle } from "../../../shared/layout"
import { CardPage, guarded, named, ProviderContent, ProviderSelect, useProvider } from "../../../shared/page"
import { useAction, useExport, useRead } from "../../../shared/queries"
import { Status, TextLink } from "../../../shared/values"
import { ago, t } from "../../../shared/words"

const RECONCILIATION = "crypto-reconciliation"

export default guarded(function ReconciliationPage() {
  const provider = useProvider()
  const { providerId } = provider
  const chosen = { provider_id: providerId }
  const reconciliation = useRead<Reconciliation>(RECONCILIATION, "/reconciliation", chosen, {
    enabled: providerId !== undefined,
    // Whether a comparison runs, here or elsewhere, must be up to date.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running_since ? 3000 : false),
  })
  const { report, running_since: runningSince } = reconciliation.data ?? {}
  const file = useExport("/reconciliation/export", chosen)
  const { mutate: run, isPending } = useAction<{ report: ListReport }, object>("/reconciliation", {
    of: providerId,
    done: (compared) => sayCompared(compared.report),
    failed: "reconciliation.failed",
    changes: [RECONCILIATION, "crypto-payments"],
  })
  return (
    <CardPage zone="reconciliation" id="CryptoReconciliation">
      <SectionHeading level="h1" title={t("nav.reconciliation")} subtitle={t("reconciliation.subtitle")}>
        <ProviderSelect {...provider} />
        {runningSince && (
          <Subtle role="status">{t("reconciliation.runningSince", { date: ago(runningSince) })}</Subtle>
        )}
        <Action {...file} disabled={!report} />
        <Action
          label={t("reconciliation.run")}
          variant="primary"
          isLoading={isPending}
          disabled={Boolean(runningSince) || providerId === undefined}
          onClick={() => run({ provider_id: providerId })}
        />
      </SectionHeading>
      <ProviderContent provider={provider} query={reconciliation}>
        {(data) => (
          <>
            <NotCompared {...data} />
            <ReconciliationReport report={data.report} />
          </>
        )}
      </ProviderContent>
    </CardPage>
  )
})

function sayCompared({ complete, rows, rows_left_out }: ListReport) {
  const description = t("reconciliation.found", { count: rows.length + rows_left_out })
  return complete
    ? toast.success(t("reconciliation.done"), { description })
    : toast.warning(t("reconciliation.doneInPart"), { description })
}

function ReconciliationReport({ report }: { report: ListReport | null }) {
  const { getFullDate } = useDate()
  if (report === null) {
    return <None says="reconciliation.none" />
  }
  const { complete, counts, rows, rows_left_out: leftOut } = report
  const extent = complete ? "complete" : "incomplete"
  const whole = <Status color={complete ? "green" : "orange"}>{t(`reconciliation.${extent}`)}</Status>
  const unreadable = <Status color="orange">{formatCount(counts.unreadable)}</Status>
  const finished = getFullDate({ date: report.finished_at, includeTime: true })
  const nothing = complete ? "reconciliation.noFindings" : "reconciliation.noFindingsInPart"
  const gap = ({ page, reason }: ListReport["incomplete_because"][number]) =>
    t(`reconciliation.gap.${reason}`, { defaultValue: t("reconciliation.gap.other", { page: page ?? "–" }) })
  const name = (row: ReportRow) => <bdi dir="ltr">{row.payment_request_id}</bdi>
  const payment = (row: ReportRow) =>
    row.id === null ? name(row) : <TextLink to={`/crypto-payments/${row.id}`}>{name(row)}</TextLink>
  const title = ({ finding }: ReportRow) => t(`reconciliation.finding.${finding}.title`)
  const done = ({ finding, fields }: ReportRow) =>
    t(`reconciliation.finding.${finding}.done`, { fields: fields?.join(", ") })
  return (
    <>
      <Facts
        className="divide-y"
        facts={[
          [t("reconciliation.finished", { date: finished }), whole],
          ...report.incomplete_because.map((cause) => [t("reconciliation.incomplete"), gap(cause)] as const),
          [t("reconciliation.listed"), formatCount(counts.listed)],
          [t("reconciliation.known"), formatCount(counts.known)],
          [t("reconciliation.others"), formatCount(counts.others)],
          [t("reconciliation.paidAndUnknown"), formatCount(counts.paid_and_unknown)],
          [t("reconciliation.unreadable"), counts.unreadable === 0 ? "0" : unreadable],
          [t("reconciliation.findings"), formatCount(rows.length + leftOut)],
        ]}
      />
      {rows.length === 0 ? (
        <None says={nothing} />
      ) : (
        <FigureTable
          label={t("reconciliation.findings")}
          rows={rows}
          rowKey={({ payment_request_id: id, finding }) => `${id}-${finding}`}
          columns={[
            [t("detail.requestId"), payment, "py-2"],
            [t("reconciliation.columns.finding"), title, "whitespace-nowrap"],
            [t("common.gatewayStatus"), ({ listed_status: status }) => status ?? "–"],
            [t("reconciliation.columns.done"), done, "text-ui-fg-subtle min-w-64 whitespace-normal py-2"],
          ]}
        />
      )}
      {leftOut > 0 && <Remark>{t("reconciliation.leftOut", { count: leftOut })}</Remark>}
    </>
  )
}

const None = ({ says }: { says: string }) => <Subtle className="px-6 py-8 text-center">{t(says)}</Subtle>

/** The newest run compared nothing, and the report below is older. */
function NotCompared({ failed, report }: Reconciliation) {
  const { getFullDate } = useDate()
  if (failed === null) {
    return null
  }
  const date = getFullDate({ date: failed.started_at, includeTime: true })
  const isInterrupted = failed.problem === "interrupted"
  const why = t(isInterrupted ? "reconciliation.wasInterrupted" : `problems.${failed.problem ?? "broken"}`)
  return (
    <div className="px-6 py-4" role="alert" data-last-run="failed">
      <Alert variant="error">
        {t("reconciliation.notCompared", { date, why })}
        {report !== null && ` ${t("reconciliation.earlierShown")}`}
      </Alert>
    </div>
  )
}

export const config = defineRouteConfig({
  label: "nav.reconciliation",
  translationNs: "cryptoPayments",
  rank: 3,
})

export const handle = named("nav.reconciliation")
