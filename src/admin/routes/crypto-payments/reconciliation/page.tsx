import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { Crumb, guarded } from "../../../shared/page"
import { ProviderContent, useChosenProvider } from "../../../shared/provider"
import { ReconciliationReport } from "../../../reconciliation/reconciliation-report"
import { LastRunNotice, ReconciliationRuns } from "../../../reconciliation/reconciliation-runs"
import { ReconciliationToolbar } from "../../../reconciliation/reconciliation-toolbar"
import { useReconciliation } from "../../../reconciliation/reconciliation"
import { useUrlState } from "../../../shared/url-state"

/** The gateway's list against the ledger: run it, and see what it found. */
const ReconciliationPage = () => {
  const provider = useChosenProvider()
  const [runId, showRun] = useUrlState("run", "")
  const reconciliation = useReconciliation(provider.providerId, runId)
  return (
    <LayoutComposer
      widgetsZonePrefix="crypto_payment.reconciliation"
      preferredLayoutId="core:single-column"
      sections={{
        main: (
          <LayoutComposer.Entry id="CryptoReconciliation">
            <Container className="divide-y overflow-hidden p-0">
              <ReconciliationToolbar
                provider={provider}
                hasReport={Boolean(reconciliation.data?.report)}
                runId={runId}
                showRun={showRun}
                runningSince={reconciliation.data?.running_since ?? null}
              />
              <ProviderContent provider={provider} query={reconciliation}>
                {(data) => (
                  <>
                    {runId === "" && <LastRunNotice runs={data.runs} />}
                    <ReconciliationReport report={data.report} />
                    <ReconciliationRuns runs={data.runs} shown={data.run_id} />
                  </>
                )}
              </ProviderContent>
            </Container>
          </LayoutComposer.Entry>
        ),
      }}
    />
  )
}

export const config = defineRouteConfig({
  label: "nav.reconciliation",
  translationNs: "cryptoPayments",
  rank: 3,
})

export const handle = { breadcrumb: () => <Crumb name="nav.reconciliation" /> }

export default guarded(ReconciliationPage)
