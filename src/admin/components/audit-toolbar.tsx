import { Button, Text, toast } from "@medusajs/ui"
import { useRunAudit } from "../hooks/audit"
import { useWords } from "../hooks/words"
import { apiMessage } from "../lib/api-message"
import { SectionHeading } from "./section-heading"

/** Title and the run button. */
export function AuditToolbar() {
  const t = useWords()
  const { mutate: run, isPending } = useRunAudit()
  const start = () =>
    run(undefined, {
      onSuccess: () => toast.success(t("audit.done")),
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
