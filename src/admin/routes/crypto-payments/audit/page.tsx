import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Heading, Text, toast } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { AuditFinding, AuditReport as Report } from "../../../../http-contract"
import { ICONS } from "../../../settings/checklist"
import { formatCount } from "../../../shared/figures"
import { Action, Advice, Facts, Remark, SectionHeading, Strong, Subtle } from "../../../shared/layout"
import { CardPage, EmptyNotice, guarded, Loaded, named } from "../../../shared/page"
import { useAction, useRead } from "../../../shared/queries"
import { Mark, Moment, TextLink } from "../../../shared/values"
import { t } from "../../../shared/words"

const AUDIT = "crypto-audit"

export default guarded(function AuditPage() {
  const client = useQueryClient()
  // It may have run at night since this page was last open.
  const last = useRead<{ audit: Report | null }>(AUDIT, "/audit", {}, { staleTime: 0 })
  const { mutate: run, isPending } = useAction<{ audit: Report }, object>("/audit", {
    onSuccess: (answer) => client.setQueriesData({ queryKey: [AUDIT] }, answer),
    done: ({ audit }) => sayAudited(audit),
    failed: "audit.failed",
    changes: [AUDIT, "crypto-payment-health"],
  })
  return (
    <CardPage zone="audit" id="CryptoAudit">
      <SectionHeading level="h1" title={t("nav.audit")} subtitle={t("audit.subtitle")}>
        {isPending && <Subtle role="status">{t("audit.running")}</Subtle>}
        <Action label={t("audit.run")} variant="primary" isLoading={isPending} onClick={() => run({})} />
      </SectionHeading>
      <Loaded query={last}>{({ audit }) => <AuditReport report={audit} />}</Loaded>
    </CardPage>
  )
})

function sayAudited({ found, incomplete }: Report) {
  const title = t(incomplete.length > 0 ? "audit.incomplete" : "audit.done")
  const description = found > 0 ? t("audit.findings", { count: found }) : undefined
  return found > 0 || incomplete.length > 0
    ? toast.warning(title, { description })
    : toast.success(title, { description: t("audit.cleanHint") })
}

function AuditReport({ report }: { report: Report | null }) {
  if (report === null) {
    return <EmptyNotice title={t("audit.none")} hint={t("audit.noneHint")} />
  }
  const { checked, findings, found, incomplete, rules } = report
  const shown = { shown: formatCount(findings.length), found: formatCount(found) }
  const rulesOf = { done: rules.length - incomplete.length, total: rules.length }
  const broken = [...new Set(findings.map(({ rule }) => rule))]
  return (
    <>
      <Verdict report={report} />
      {/* Nothing is known of these rules, so they are never counted as kept. */}
      {incomplete.length > 0 && (
        <section aria-label={t("audit.incomplete")} className="flex flex-col gap-y-1 px-6 py-4">
          <Strong>{t("audit.incomplete")}</Strong>
          <Subtle>{t("audit.incompleteHint")}</Subtle>
          <ul className="txt-small list-disc ps-5">
            {incomplete.map((rule) => (
              <li key={rule}>{ruleTitle({ rule })}</li>
            ))}
          </ul>
        </section>
      )}
      <Facts
        className="divide-y"
        facts={[
          [t("audit.ranAt"), <Moment at={report.ran_at} />],
          [t("audit.took"), t("audit.seconds", { seconds: (report.duration_ms / 1000).toFixed(1) })],
          [t("audit.checkedPayments"), formatCount(checked.payments)],
          [t("audit.checkedCaptures"), formatCount(checked.captures)],
          [t("audit.checkedRefunds"), formatCount(checked.refunds)],
          [t("audit.rulesChecked"), t("common.progress", rulesOf)],
        ]}
      />
      {found > findings.length && <Remark>{t("audit.shown", shown)}</Remark>}
      {broken.map((rule) => (
        <RuleFindings key={rule} rule={rule} findings={findings.filter((finding) => finding.rule === rule)} />
      ))}
    </>
  )
}

/** A newer server may have rules without a title here: then the server's own text is shown. */
const ruleTitle = ({ rule, message = rule }: { rule: string; message?: string }): string =>
  t(`audit.rules.${rule}.title`, { defaultValue: message })

/** "12,345 payments, 0 unexplained", or why that cannot be said. */
function Verdict({ report: { checked, found, incomplete } }: { report: Report }) {
  const isClean = found === 0 && incomplete.length === 0
  const none = isClean ? "audit.unexplained" : "audit.notAllChecked"
  const findings = found > 0 ? t("audit.findings", { count: found }) : t(none)
  return (
    <div className="flex items-start gap-x-3 px-6 py-4" data-verdict={isClean ? "clean" : "open"}>
      <span className="pt-1">{isClean ? ICONS.done : ICONS.warning}</span>
      <div className="min-w-0">
        <Text weight="plus">
          {checked.payments === null
            ? findings
            : t("audit.verdict", { payments: t("common.payments", { count: checked.payments }), findings })}
        </Text>
        {isClean && <Subtle>{t("audit.cleanHint")}</Subtle>}
      </div>
    </div>
  )
}

function RuleFindings({ rule, findings }: { rule: string; findings: AuditFinding[] }) {
  const title = ruleTitle(findings[0] ?? { rule })
  return (
    <section aria-label={title} data-rule={rule} className="divide-y">
      <div className="flex flex-col gap-y-2 px-6 py-4">
        <div className="flex flex-wrap items-center gap-2">
          <Heading level="h2">{title}</Heading>
          <Mark color="orange">{findings.length}</Mark>
        </div>
        <Advice
          meaning={t(`audit.rules.${rule}.meaning`, { defaultValue: "" })}
          todo={t(`audit.rules.${rule}.action`, { defaultValue: t("audit.unknownAction") })}
        />
      </div>
      <ul className="divide-y">
        {findings.map((finding, index) => (
          <Finding key={index} finding={finding} />
        ))}
      </ul>
    </section>
  )
}

function Finding({ finding: { request_ids, order_ids } }: { finding: AuditFinding }) {
  const linksTo = (address: string, ids: string[]) =>
    ids.map((id) => <TextLink to={`/${address}/${id}`}>{id}</TextLink>)
  const named = (name: string, ids: ReactNode[]) =>
    ids.length > 0 && (
      <div className="flex min-w-0 flex-col gap-x-3 gap-y-1 md:flex-row">
        <span className="text-ui-fg-subtle shrink-0">{name}</span>
        <div className="flex min-w-0 flex-wrap gap-x-3 gap-y-1 break-all">
          {ids.map((id, index) => (
            <bdi key={index} dir="ltr">
              {id}
            </bdi>
          ))}
        </div>
      </div>
    )
  return (
    <li className="txt-compact-small flex flex-wrap gap-x-6 gap-y-2 px-6 py-3">
      {request_ids.length === 0 && order_ids.length === 0 && t("audit.noIds")}
      {named(t("detail.paymentId"), linksTo("crypto-payments", request_ids))}
      {named(t("detail.order"), linksTo("orders", order_ids))}
    </li>
  )
}

export const config = defineRouteConfig({ label: "nav.audit", translationNs: "cryptoPayments", rank: 4 })

export const handle = named("nav.audit")
