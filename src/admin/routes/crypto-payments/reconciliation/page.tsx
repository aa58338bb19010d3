import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { Crumb } from "../../../components/crumb"
import { ProviderContent } from "../../../components/provider-content"
import { ReconciliationReport } from "../../../components/reconciliation-report"
import { ReconciliationToolbar } from "../../../components/reconciliation-toolbar"
import { useChosenProvider } from "../../../hooks/provider"
import { useReconciliation } from "../../../hooks/reports"

/** The gateway's list against the ledger: run it, and see what it found. */
const ReconciliationPage = () => {
  const provider = useChosenProvider()
  const reconciliation = useReconciliation(provider.providerId)
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
                runningSince={reconciliation.data?.running_since ?? null}
              />
              <ProviderContent provider={provider} query={reconciliation}>
                {({ report }) => <ReconciliationReport report={report} />}
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

export default ReconciliationPage
