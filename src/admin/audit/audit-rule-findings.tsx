import { Badge, Heading, Text } from "@medusajs/ui"
import { type PropsWithChildren, useId } from "react"
import { useRuleTitle } from "./audit-words"
import { useWords } from "../shared/words"
import type { AuditFinding } from "../../http-contract"
import { providerName } from "../shared/provider"
import { OrderLink, TextLink } from "../shared/values"

interface AuditRuleFindingsProps {
  rule: string
  findings: AuditFinding[]
}

/** The findings of one rule: what it means, what to do, and which payments and orders. */
export function AuditRuleFindings({ rule, findings }: AuditRuleFindingsProps) {
  const t = useWords()
  const titleOf = useRuleTitle()
  const headingId = useId()
  const meaning = t(`audit.rules.${rule}.meaning`, { defaultValue: "" })
  return (
    <section aria-labelledby={headingId} data-rule={rule} className="divide-y">
      <div className="flex flex-col gap-y-2 px-6 py-4">
        <div className="flex flex-wrap items-center gap-2">
          <Heading level="h2" id={headingId}>
            {titleOf(findings[0] ?? { rule })}
          </Heading>
          <Badge size="2xsmall" color="orange">
            {findings.length}
          </Badge>
        </div>
        <div className="flex max-w-3xl flex-col gap-y-1">
          {meaning !== "" && (
            <Text size="small" className="text-pretty">
              {meaning}
            </Text>
          )}
          <Text size="small" className="text-ui-fg-subtle text-pretty">
            <span className="font-medium">{t("attention.whatToDo")}: </span>
            {t(`audit.rules.${rule}.action`, { defaultValue: t("audit.unknownAction") })}
          </Text>
        </div>
      </div>
      <ul className="divide-y">
        {findings.map((finding, index) => (
          <Finding key={index} finding={finding} />
        ))}
      </ul>
    </section>
  )
}

function Finding({ finding: { request_ids, order_ids, provider_id } }: { finding: AuditFinding }) {
  const t = useWords()
  return (
    <li className="txt-compact-small flex flex-wrap gap-x-6 gap-y-2 px-6 py-3">
      {request_ids.length === 0 && order_ids.length === 0 && t("audit.noIds")}
      {provider_id !== undefined && (
        <Ids name={t("detail.provider")}>
          <bdi dir="ltr">{providerName(provider_id)}</bdi>
        </Ids>
      )}
      {request_ids.length > 0 && (
        <Ids name={t("audit.paymentIds")}>
          {request_ids.map((id) => (
            <TextLink key={id} to={`/crypto-payments/${id}`}>
              <bdi dir="ltr">{id}</bdi>
            </TextLink>
          ))}
        </Ids>
      )}
      {order_ids.length > 0 && (
        <Ids name={t("audit.orderIds")}>
          {order_ids.map((id) => (
            <bdi key={id} dir="ltr">
              <OrderLink payment={{ order_id: id, order_display_id: null, cart_id: null }} />
            </bdi>
          ))}
        </Ids>
      )}
    </li>
  )
}

function Ids({ name, children }: PropsWithChildren<{ name: string }>) {
  return (
    <div className="flex min-w-0 flex-col gap-x-3 gap-y-1 md:flex-row">
      <span className="text-ui-fg-subtle shrink-0">{name}</span>
      <div className="flex min-w-0 flex-wrap gap-x-3 gap-y-1 break-all">{children}</div>
    </div>
  )
}
