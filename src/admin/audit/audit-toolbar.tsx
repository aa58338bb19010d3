import { Button, Text, toast } from "@medusajs/ui"
import { useRunAudit } from "./audit"
import { useWords, type Words } from "../shared/words"
import { apiMessage } from "../shared/admin-api"
import type { AuditReport } from "../../http-contract"
import { SectionHeading } from "../shared/layout"

/** A completed run is not yet a success: it may have findings, or may be incomplete. */
function sayAudited({ found, incomplete }: AuditReport, t: Words): void {
  if (found > 0) {
    toast.warning(t("audit.done"), { description: t("audit.findings", { count: found, number: found }) })
  } else if (incomplete.length > 0) {
    toast.warning(t("audit.incomplete"))
  } else {
    toast.success(t("audit.done"), { description: t("audit.cleanHint") })
  }
}

/** Title and the run button. */
export function AuditToolbar() {
  const t = useWords()
  const { mutate: run, isPending } = useRunAudit()
  const start = () =>
    run(undefined, {
      onSuccess: (audit) => sayAudited(audit, t),
      onError: (error) => toast.error(t("audit.failed"), { description: apiMessage(error, t) }),
    })
  return (
    <SectionHeading level="h1" title={t("audit.title")} subtitle={t("audit.subtitle")}>
      {isPending && (
        <Text size="small" className="text-ui-fg-subtle" role="status">
          {t("audit.running")}
        </Text>
      )}
      <Button size="small" isLoading={isPending} onClick={start}>
        {t("audit.run")}
      </Button>
    </SectionHeading>
  )
}
