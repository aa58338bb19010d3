import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { Crumb } from "../../../components/crumb"
import { LoadError } from "../../../components/load-error"
import { LoadingRows } from "../../../components/loading-rows"
import { NoProvider } from "../../../components/no-provider"
import { ReconciliationReport } from "../../../components/reconciliation-report"
import { ReconciliationToolbar } from "../../../components/reconciliation-toolbar"
import { useChosenProvider } from "../../../hooks/provider"
import { useReconciliation } from "../../../hooks/reports"
import { useWords } from "../../../hooks/words"
import { apiMessage } from "../../../lib/api-message"

/** The gateway's list against the ledger: run it, and see what it found. */
const ReconciliationPage = () => {
  const t = useWords()
  const provider = useChosenProvider()
  const { data, isError, error, refetch } = useReconciliation(provider.providerId)
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
                hasReport={Boolean(data?.report)}
                runningSince={data?.running_since ?? null}
              />
              {provider.error !== null ? (
                <LoadError message={apiMessage(provider.error, t)} onRetry={provider.retry} />
              ) : provider.hasNone ? (
                <NoProvider />
              ) : isError ? (
                <LoadError message={apiMessage(error, t)} onRetry={() => void refetch()} />
              ) : data === undefined ? (
                <LoadingRows />
              ) : (
                <ReconciliationReport report={data.report} />
              )}
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

export default ReconciliationPage
