import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { AuditReport } from "../../../audit/audit-report"
import { AuditToolbar } from "../../../audit/audit-toolbar"
import { Crumb, guarded } from "../../../shared/page"
import { LoadError, LoadingRows } from "../../../shared/notices"
import { useAudit } from "../../../audit/audit"
import { useWords } from "../../../shared/words"
import { apiMessage } from "../../../shared/admin-api"

/** Whether every payment is explained: run the audit, and see what it found. */
const AuditPage = () => {
  return (
    <LayoutComposer
      widgetsZonePrefix="crypto_payment.audit"
      preferredLayoutId="core:single-column"
      sections={{
        main: (
          <LayoutComposer.Entry id="CryptoAudit">
            <Container className="divide-y overflow-hidden p-0">
              <AuditToolbar />
              <LastAudit />
            </Container>
          </LayoutComposer.Entry>
        ),
      }}
    />
  )
}

function LastAudit() {
  const t = useWords()
  const { data, isError, error, refetch } = useAudit()
  if (isError) {
    return <LoadError message={apiMessage(error, t)} onRetry={() => void refetch()} />
  }
  return data === undefined ? <LoadingRows /> : <AuditReport report={data} />
}

export const config = defineRouteConfig({
  label: "nav.audit",
  translationNs: "cryptoPayments",
  rank: 4,
})

export const handle = { breadcrumb: () => <Crumb name="nav.audit" /> }

export default guarded(AuditPage)
