import { defineRouteConfig } from "@medusajs/admin-sdk"
import { toast } from "@medusajs/ui"
import type { ListReport, Reconciliation } from "../../../../http-contract"
import {
  LastRunNotice,
  ReconciliationReport,
  ReconciliationRuns,
} from "../../../reconciliation/reconciliation-report"
import { post } from "../../../shared/admin-api"
import { ActionButton, SectionHeading, Subtle } from "../../../shared/layout"
import {
  CardPage,
  ExportButton,
  guarded,
  named,
  ProviderContent,
  ProviderSelect,
  useChosenProvider,
} from "../../../shared/page"
import { useAction, useRead, useUrlState } from "../../../shared/queries"
import { useRelativeTime, useWords, type Words } from "../../../shared/words"

const RECONCILIATION = "crypto-reconciliation"
const WATCH_INTERVAL_MS = 3000

/** The gateway's list against the ledger: run it, and see what it found. */
const ReconciliationPage = () => {
  const t = useWords()
  const relativeTo = useRelativeTime()
  const provider = useChosenProvider()
  const { providerId } = provider
  const [runId, showRun] = useUrlState("run", "")
  const chosen = { provider_id: providerId, run_id: runId }
  const reconciliation = useRead<Reconciliation>(RECONCILIATION, "/reconciliation", chosen, {
    enabled: providerId !== undefined,
    // Whether one runs, here or elsewhere, is known by what is so now.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running_since ? WATCH_INTERVAL_MS : false),
  })
  const { report, running_since: runningSince } = reconciliation.data ?? {}
  const run = {
    mutationKey: [RECONCILIATION, "run", providerId],
    mutationFn: async () =>
      await post<{ report: ListReport }>("/reconciliation", { provider_id: providerId }),
    changes: [RECONCILIATION, "crypto-payments"],
  }
  const { mutate: start, isPending } = useAction(run, {
    done: (compared) => {
      sayCompared(compared.report, t)
      showRun("")
    },
    failed: "reconciliation.failed",
  })
  return (
    <CardPage zone="reconciliation" id="CryptoReconciliation">
      <SectionHeading level="h1" title={t("reconciliation.title")} subtitle={t("reconciliation.subtitle")}>
        <ProviderSelect {...provider} />
        {runningSince && (
          <Subtle role="status">
            {t("reconciliation.runningSince", { date: relativeTo(runningSince) })}
          </Subtle>
        )}
        <ExportButton of="reconciliation" query={chosen} disabled={!report} />
        <ActionButton
          words="reconciliation.run"
          variant="primary"
          isLoading={isPending}
          disabled={isPending || Boolean(runningSince) || providerId === undefined}
          onClick={() => start()}
        />
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
    </CardPage>
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

export const handle = named("nav.reconciliation")

export default guarded(ReconciliationPage)
