import { Button, Text, toast } from "@medusajs/ui"
import { type ChosenProvider, ProviderSelect } from "../shared/provider"
import { useRunReconciliation } from "./reconciliation"
import { useRelativeTime } from "../shared/relative-time"
import { useWords, type Words } from "../shared/words"
import { useCsv } from "../shared/queries"
import { apiMessage } from "../shared/admin-api"
import type { ListReport } from "../../http-contract"
import { SectionHeading } from "../shared/layout"

interface ReconciliationToolbarProps {
  provider: ChosenProvider
  hasReport: boolean
  /** The run that is shown; empty for the last one. */
  runId: string
  showRun: (runId: string) => void
  runningSince: string | null
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

/** Title, the run button and the report's CSV. */
export function ReconciliationToolbar({
  provider,
  hasReport,
  runId,
  showRun,
  runningSince,
}: ReconciliationToolbarProps) {
  const t = useWords()
  const relativeTo = useRelativeTime()
  const { providerId, providerIds, choose } = provider
  const { mutate: run, isPending } = useRunReconciliation(providerId)
  const { saveCsv, isSaving } = useCsv("/reconciliation/export", "crypto-reconciliation.csv")
  const isRunning = isPending || runningSince !== null

  const start = () =>
    run(undefined, {
      onSuccess: ({ report }) => {
        sayCompared(report, t)
        showRun("")
      },
      onError: (error) => toast.error(t("reconciliation.failed"), { description: apiMessage(error, t) }),
    })
  const save = () => saveCsv({ provider_id: providerId, run_id: runId })
  return (
    <SectionHeading level="h1" title={t("reconciliation.title")} subtitle={t("reconciliation.subtitle")}>
      <ProviderSelect providerIds={providerIds} value={providerId ?? ""} onChange={choose} />
      {runningSince !== null && (
        <Text size="small" className="text-ui-fg-subtle" role="status">
          {t("reconciliation.runningSince", { date: relativeTo(runningSince) })}
        </Text>
      )}
      <Button size="small" variant="secondary" disabled={!hasReport} isLoading={isSaving} onClick={save}>
        {t("common.export")}
      </Button>
      <Button
        size="small"
        isLoading={isPending}
        disabled={isRunning || providerId === undefined}
        onClick={start}
      >
        {t("reconciliation.run")}
      </Button>
    </SectionHeading>
  )
}
