import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Button, toast } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import type { AuditReport as Report } from "../../../../http-contract"
import { AuditReport } from "../../../audit/audit-report"
import { apiMessage, post } from "../../../shared/admin-api"
import { SectionHeading, Subtle } from "../../../shared/layout"
import { Loaded } from "../../../shared/notices"
import { Crumb, guarded, Page } from "../../../shared/page"
import { useAction, useRead } from "../../../shared/queries"
import { useWords, type Words } from "../../../shared/words"

const AUDIT = "crypto-audit"

interface Audit {
  /** Null before the first. */
  audit: Report | null
}

/** Whether every payment is explained: run the audit, and see what it found. */
const AuditPage = () => {
  const t = useWords()
  const client = useQueryClient()
  // It may have run at night since this page was last open.
  const last = useRead<Audit>(AUDIT, "/audit", {}, { staleTime: 0 })
  const { mutate: run, isPending } = useAction({
    mutationKey: [AUDIT, "run"],
    mutationFn: async () => await post<{ audit: Report }>("/audit", {}),
    onSuccess: (answer) => client.setQueriesData({ queryKey: [AUDIT] }, answer),
    changes: [AUDIT, "crypto-payment-health"],
  })
  const start = () =>
    run(undefined, {
      onSuccess: ({ audit }) => sayAudited(audit, t),
      onError: (error) => toast.error(t("audit.failed"), { description: apiMessage(error, t) }),
    })
  return (
    <Page zone="audit" id="CryptoAudit">
      <SectionHeading level="h1" title={t("audit.title")} subtitle={t("audit.subtitle")}>
        {isPending && <Subtle role="status">{t("audit.running")}</Subtle>}
        <Button size="small" isLoading={isPending} onClick={start}>
          {t("audit.run")}
        </Button>
      </SectionHeading>
      <Loaded query={last}>{({ audit }) => <AuditReport report={audit} />}</Loaded>
    </Page>
  )
}

/** A completed run is not yet a success: it may have findings, or may be incomplete. */
function sayAudited({ found, incomplete }: Report, t: Words): void {
  if (found > 0) {
    toast.warning(t("audit.done"), { description: t("audit.findings", { count: found, number: found }) })
  } else if (incomplete.length > 0) {
    toast.warning(t("audit.incomplete"))
  } else {
    toast.success(t("audit.done"), { description: t("audit.cleanHint") })
  }
}

export const config = defineRouteConfig({ label: "nav.audit", translationNs: "cryptoPayments", rank: 4 })

export const handle = { breadcrumb: () => <Crumb name="nav.audit" /> }

export default guarded(AuditPage)
