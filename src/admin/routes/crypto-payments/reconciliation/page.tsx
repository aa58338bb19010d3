import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Button, toast } from "@medusajs/ui"
import type { ListReport, Reconciliation } from "../../../../http-contract"
import { ReconciliationReport } from "../../../reconciliation/reconciliation-report"
import { LastRunNotice, ReconciliationRuns } from "../../../reconciliation/reconciliation-runs"
import { apiMessage, post } from "../../../shared/admin-api"
import { SectionHeading, Subtle } from "../../../shared/layout"
import { Crumb, ExportButton, guarded, Page } from "../../../shared/page"
import { ProviderContent, ProviderSelect, useChosenProvider } from "../../../shared/provider"
import { useAction, useRead } from "../../../shared/queries"
import { useRelativeTime } from "../../../shared/relative-time"
import { useUrlState } from "../../../shared/url-state"
import { useWords, type Words } from "../../../shared/words"

const RECONCILIATION = "crypto-reconciliation"
const WATCH_INTERVAL_MS = 3000

/** The gateway's list against the ledger: run it, and see what it found. */
const ReconciliationPage = () => {
  const t = useWords()
  const relativeTo = useRelativeTime()
  const provider = useChosenProvider()
  const { providerId, providerIds, choose } = provider
  const [runId, showRun] = useUrlState("run", "")
  const chosen = { provider_id: providerId, run_id: runId }
  const reconciliation = useRead<Reconciliation>(RECONCILIATION, "/reconciliation", chosen, {
    enabled: providerId !== undefined,
    // Whether one runs, here or elsewhere, is known by what is so now.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running_since ? WATCH_INTERVAL_MS : false),
  })
  const { mutate: run, isPending } = useAction({
    mutationKey: [RECONCILIATION, "run", providerId],
    mutationFn: async () =>
      await post<{ report: ListReport }>("/reconciliation", { provider_id: providerId }),
    changes: [RECONCILIATION, "crypto-payments"],
  })
  const { report, running_since: runningSince } = reconciliation.data ?? {}
  const start = () =>
    run(undefined, {
      onSuccess: (compared) => {
        sayCompared(compared.report, t)
        showRun("")
      },
      onError: (error) => toast.error(t("reconciliation.failed"), { description: apiMessage(error, t) }),
    })
  return (
    <Page zone="reconciliation" id="CryptoReconciliation">
      <SectionHeading level="h1" title={t("reconciliation.title")} subtitle={t("reconciliation.subtitle")}>
        <ProviderSelect providerIds={providerIds} value={providerId ?? ""} onChange={choose} />
        {runningSince && (
          <Subtle role="status">
            {t("reconciliation.runningSince", { date: relativeTo(runningSince) })}
          </Subtle>
        )}
        <ExportButton of="reconciliation" query={chosen} disabled={!report} />
        <Button
          size="small"
          isLoading={isPending}
          disabled={isPending || Boolean(runningSince) || providerId === undefined}
          onClick={start}
        >
          {t("reconciliation.run")}
        </Button>
      </SectionHeading>
      <ProviderContent provider={provider} query={reconciliation}>
        {(data) => (
          <>
            {runId === "" && <LastRunNotice runs={data.runs} />}
            <ReconciliationReport report={data.report} />
            <ReconciliationRuns runs={data.runs} shown={data.run_id} />
          </>
        )}
      </ProviderContent>
    </Page>
  )
}

/** A run is a success only where the whole list was seen and both sides agree. */
function sayCompared({ complete, counts, rows, rows_left_out }: ListReport, t: Words): void {
  const count = rows.length + rows_left_out
  if (!complete) {
    toast.warning(t("reconciliation.doneInPart"), { description: t("reconciliation.doneInPartHint") })
  } else if (count > 0 || counts.unreadable > 0) {
    toast.info(t("reconciliation.done"), { description: t("reconciliation.found", { count }) })
  } else {
    toast.success(t("reconciliation.done"), { description: t("reconciliation.noFindings") })
  }
}

export const config = defineRouteConfig({
  label: "nav.reconciliation",
  translationNs: "cryptoPayments",
  rank: 3,
})

export const handle = { breadcrumb: () => <Crumb name="nav.reconciliation" /> }

export default guarded(ReconciliationPage)
