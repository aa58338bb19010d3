import type { AuditReport } from "../../http-contract"
import { formatCount } from "../shared/figures"
import { useWords } from "../shared/words"

/** The title of a rule. A newer server may have rules that this page has no words for: then the server's own. */
export function useRuleTitle() {
  const t = useWords()
  return ({ rule, message = rule }: { rule: string; message?: string }) =>
    t(`audit.rules.${rule}.title`, { defaultValue: message })
}

/** A report in one sentence. */
export function useVerdict({ checked, found, incomplete }: AuditReport): string {
  const t = useWords()
  const counted = (count: number) => ({ count, number: formatCount(count) })
  const findings =
    found > 0
      ? t("audit.findings", counted(found))
      : t(incomplete.length > 0 ? "audit.notAllChecked" : "audit.unexplained")
  return checked.payments === null
    ? findings
    : t("audit.verdict", { payments: t("audit.payments", counted(checked.payments)), findings })
}
