import { Badge, Container, Text } from "@medusajs/ui"
import { useWords } from "../shared/words"
import type { CryptoPaymentDetail } from "../../http-contract"
import { gatewayCurrency } from "./payment"
import { Amount, Moment } from "../shared/values"
import { SectionHeading, Subtle } from "../shared/layout"

/** Refunds that were made in the gateway's dashboard and registered here. */
export function RefundList({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  return (
    <Container className="divide-y p-0">
      <SectionHeading title={t("detail.refunds")} />
      {payment.refunds.length === 0 && <Subtle className="px-6 py-4">{t("detail.noRefunds")}</Subtle>}
      {payment.refunds.map((refund) => (
        <div key={refund.id} className="flex flex-col gap-y-1 px-6 py-4">
          <div className="txt-compact-small flex flex-wrap items-center justify-between gap-2">
            <Amount
              value={refund.amount}
              currency={gatewayCurrency(payment)}
              className="txt-compact-small-plus"
            />
            <Badge size="2xsmall" color={refund.state === "applied" ? "green" : "orange"}>
              {t(`detail.refundState.${refund.state}`)}
            </Badge>
          </div>
          <Subtle className="break-words">{refund.reference}</Subtle>
          {refund.note !== null && <Subtle className="whitespace-pre-line break-words">{refund.note}</Subtle>}
          <Text size="small" className="text-ui-fg-muted">
            <Moment at={refund.created_at} />
          </Text>
        </div>
      ))}
    </Container>
  )
}
