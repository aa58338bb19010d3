import { LayoutComposer } from "@medusajs/dashboard/components"
import { Badge, Container, Text } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"
import type { CryptoPaymentDetail } from "../../../../http-contract"
import { GatewayComparison } from "../../../payments/gateway-comparison"
import { PaymentFacts } from "../../../payments/payment-facts"
import { usePayment } from "../../../payments/payments"
import { gatewayCurrency } from "../../../payments/payment"
import { Timeline } from "../../../payments/timeline"
import { AdminApiError } from "../../../shared/admin-api"
import { formatFiat } from "../../../shared/figures"
import { SectionHeading, Subtle } from "../../../shared/layout"
import { LoadError, LoadingRows } from "../../../shared/notices"
import { Boundary, guarded } from "../../../shared/page"
import { Amount, Moment } from "../../../shared/values"
import { useWords } from "../../../shared/words"

/** One payment: what is recorded, what the gateway says now, what happened, and what can be done. */
const CryptoPaymentPage = () => {
  const t = useWords()
  const { id = "" } = useParams()
  // The page does not wait for the gateway; its record joins when it has answered.
  const { data: payment, error, refetch } = usePayment(id, false)
  if (error !== null || payment === undefined) {
    const isUnknown = error instanceof AdminApiError && error.status === 404
    return (
      <Container className="p-0">
        {error === null ? (
          <LoadingRows count={8} />
        ) : (
          <LoadError problem={isUnknown ? t("detail.notFound") : error} onRetry={() => void refetch()} />
        )}
      </Container>
    )
  }
  return (
    <LayoutComposer
      widgetsZonePrefix="crypto_payment.details"
      preferredLayoutId="core:two-column"
      data={payment}
      sections={{
        main: [
          <LayoutComposer.Entry key="facts" id="CryptoPaymentFacts">
            <PaymentFacts payment={payment} />
          </LayoutComposer.Entry>,
          <LayoutComposer.Entry key="gateway" id="CryptoPaymentGateway">
            <GatewayComparison payment={payment} />
          </LayoutComposer.Entry>,
        ],
        side: [
          <LayoutComposer.Entry key="refunds" id="CryptoPaymentRefunds">
            <RefundList payment={payment} />
          </LayoutComposer.Entry>,
          <LayoutComposer.Entry key="timeline" id="CryptoPaymentTimeline">
            <Container className="divide-y p-0">
              <SectionHeading title={t("detail.timeline")} />
              <Timeline payment={payment} />
            </Container>
          </LayoutComposer.Entry>,
        ],
      }}
    />
  )
}

/** Refunds that were made in the gateway's dashboard and registered here. */
function RefundList({ payment }: { payment: CryptoPaymentDetail }) {
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

/** "#8 · 20.01 USD". */
function PaymentCrumb({ id }: { id: string }) {
  const { data: payment } = usePayment(id, false)
  if (payment === undefined) {
    return <>…</>
  }
  const { order_display_id: number, amount, currency_code: currency } = payment
  const order = number === null ? [] : [`#${String(number)}`]
  return <bdi dir="ltr">{[...order, formatFiat(amount, currency)].join(" · ")}</bdi>
}

export const handle = {
  breadcrumb: ({ params }: UIMatch) => (
    <Boundary fallback={() => null}>
      <PaymentCrumb id={params["id"] ?? ""} />
    </Boundary>
  ),
}

export default guarded(CryptoPaymentPage)
