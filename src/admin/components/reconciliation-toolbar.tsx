import { useDate } from "@medusajs/dashboard/hooks"
import { Button, Text, toast } from "@medusajs/ui"
import type { ChosenProvider } from "../hooks/provider"
import { useRunReconciliation } from "../hooks/reports"
import { useWords } from "../hooks/words"
import { useCsv } from "../hooks/csv"
import { apiMessage } from "../lib/api-message"
import { ProviderSelect } from "./provider-select"
import { SectionHeading } from "./section-heading"

interface ReconciliationToolbarProps {
  provider: ChosenProvider
  hasReport: boolean
  runningSince: string | null
}

/** Title, the run button and the report's CSV. */
export function ReconciliationToolbar({ provider, hasReport, runningSince }: ReconciliationToolbarProps) {
  const t = useWords()
  const { getRelativeDate } = useDate()
  const { providerId, providerIds, choose } = provider
  const { mutate: run, isPending } = useRunReconciliation(providerId)
  const { saveCsv, isSaving } = useCsv("/reconciliation/export", "crypto-reconciliation.csv")
  const isRunning = isPending || runningSince !== null

  const start = () =>
    run(undefined, {
      onSuccess: () => toast.success(t("reconciliation.done")),
      onError: (error) => toast.error(t("reconciliation.failed"), { description: apiMessage(error, t) }),
    })
  const save = () => saveCsv({ provider_id: providerId })
  return (
    <SectionHeading level="h1" title={t("reconciliation.title")} subtitle={t("reconciliation.subtitle")}>
      <ProviderSelect providerIds={providerIds} value={providerId ?? ""} onChange={choose} />
      {runningSince !== null && (
        <Text size="small" className="text-ui-fg-subtle" role="status">
          {t("reconciliation.runningSince", { date: getRelativeDate(runningSince) })}
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
