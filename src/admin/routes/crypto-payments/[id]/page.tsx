import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"
import { GatewayComparison } from "../../../components/gateway-comparison"
import { LoadError } from "../../../components/load-error"
import { LoadingRows } from "../../../components/loading-rows"
import { PaymentFacts } from "../../../components/payment-facts"
import { RefundList } from "../../../components/refund-list"
import { SectionHeading } from "../../../components/section-heading"
import { Timeline } from "../../../components/timeline"
import { usePayment } from "../../../hooks/payments"
import { useWords } from "../../../hooks/words"
import { AdminApiError } from "../../../lib/admin-api"
import { apiMessage } from "../../../lib/api-message"
import { gatewayCurrency } from "../../../lib/paid-amount"

/** One payment: what is recorded, what the gateway says now, what happened, and what can be done. */
const CryptoPaymentPage = () => {
  const t = useWords()
  const { id = "" } = useParams()
  // The page does not wait for the gateway; its record joins when it has answered.
  const { data: payment, isError, error, refetch } = usePayment(id, false)
  if (isError) {
    const isUnknown = error instanceof AdminApiError && error.status === 404
    return (
      <Container className="p-0">
        <LoadError
          message={isUnknown ? t("detail.notFound") : apiMessage(error, t)}
          onRetry={() => void refetch()}
        />
      </Container>
    )
  }
  if (payment === undefined) {
    return (
      <Container className="p-0">
        <LoadingRows count={8} />
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
              <Timeline activities={payment.activities} currency={gatewayCurrency(payment)} />
            </Container>
          </LayoutComposer.Entry>,
        ],
      }}
    />
  )
}

export const handle = {
  breadcrumb: ({ params }: UIMatch) => <bdi dir="ltr">{params["id"]}</bdi>,
}

export default CryptoPaymentPage
