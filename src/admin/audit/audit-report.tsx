import { CheckCircleSolid, ExclamationCircleSolid } from "@medusajs/icons"
import { Text } from "@medusajs/ui"
import { useRuleTitle, useVerdict } from "./audit-words"
import { useWords } from "../shared/words"
import type { AuditFinding, AuditReport as Report } from "../../http-contract"
import { formatCount } from "../shared/figures"
import { AuditRuleFindings } from "./audit-rule-findings"
import { EmptyNotice } from "../shared/notices"
import { FactRow } from "../shared/layout"
import { Moment } from "../shared/values"

/** What the last audit found, and what to do about each finding. */
export function AuditReport({ report }: { report: Report | null }) {
  const t = useWords()
  if (report === null) {
    return <EmptyNotice title={t("audit.none")} hint={t("audit.noneHint")} />
  }
  const { findings, found, incomplete } = report
  return (
    <>
      <Verdict report={report} />
      {incomplete.length > 0 && <Incomplete rules={incomplete} />}
      <Facts report={report} />
      {found > findings.length && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("audit.shown", { shown: formatCount(findings.length), found: formatCount(found) })}
        </Text>
      )}
      {[...groupByRule(findings)].map(([rule, ofRule]) => (
        <AuditRuleFindings key={rule} rule={rule} findings={ofRule} />
      ))}
    </>
  )
}

/** "12,345 payments, 0 unexplained", or what keeps the report from saying so. */
function Verdict({ report }: { report: Report }) {
  const t = useWords()
  const verdict = useVerdict(report)
  const isClean = report.found === 0 && report.incomplete.length === 0
  return (
    <div className="flex items-start gap-x-3 px-6 py-4" data-verdict={isClean ? "clean" : "open"}>
      <span className="pt-1">
        {isClean ? (
          <CheckCircleSolid className="text-ui-tag-green-icon" />
        ) : (
          <ExclamationCircleSolid className="text-ui-tag-orange-icon" />
        )}
      </span>
      <div className="min-w-0">
        <Text weight="plus">{verdict}</Text>
        {isClean && (
          <Text size="small" className="text-ui-fg-subtle text-pretty">
            {t("audit.cleanHint")}
          </Text>
        )}
      </div>
    </div>
  )
}

/** Of these rules nothing is known, so they are never counted as kept. */
function Incomplete({ rules }: { rules: string[] }) {
  const t = useWords()
  const titleOf = useRuleTitle()
  return (
    <section aria-label={t("audit.incomplete")} className="flex flex-col gap-y-1 px-6 py-4">
      <Text size="small" weight="plus">
        {t("audit.incomplete")}
      </Text>
      <Text size="small" className="text-ui-fg-subtle text-pretty">
        {t("audit.incompleteHint")}
      </Text>
      <ul className="txt-small list-disc ps-5">
        {rules.map((rule) => (
          <li key={rule}>{titleOf({ rule })}</li>
        ))}
      </ul>
    </section>
  )
}

function Facts({ report: { ran_at, duration_ms, checked, rules, incomplete } }: { report: Report }) {
  const t = useWords()
  return (
    <dl className="divide-y">
      <FactRow name={t("audit.ranAt")}>
        <Moment at={ran_at} />
      </FactRow>
      <FactRow name={t("audit.took")}>
        {t("audit.seconds", { seconds: (duration_ms / 1000).toFixed(1) })}
      </FactRow>
      <FactRow name={t("audit.checkedPayments")}>{formatCount(checked.payments)}</FactRow>
      <FactRow name={t("audit.checkedCaptures")}>{formatCount(checked.captures)}</FactRow>
      <FactRow name={t("audit.checkedRefunds")}>{formatCount(checked.refunds)}</FactRow>
      <FactRow name={t("audit.rulesChecked")}>
        {t("audit.rulesOf", { done: rules.length - incomplete.length, total: rules.length })}
      </FactRow>
    </dl>
  )
}

/** Findings by their rule, in the order of the report. */
function groupByRule(findings: readonly AuditFinding[]): Map<string, AuditFinding[]> {
  const groups = new Map<string, AuditFinding[]>()
  for (const finding of findings) {
    groups.set(finding.rule, [...(groups.get(finding.rule) ?? []), finding])
  }
  return groups
}
