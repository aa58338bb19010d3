import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"
import { GatewayComparison } from "../../../payments/gateway-comparison"
import { LoadError, LoadingRows } from "../../../shared/notices"
import { PaymentFacts } from "../../../payments/payment-facts"
import { RefundList } from "../../../payments/refund-list"
import { SectionHeading } from "../../../shared/layout"
import { Timeline } from "../../../payments/timeline"
import { Boundary, guarded } from "../../../shared/page"
import { usePayment } from "../../../payments/payments"
import { useWords } from "../../../shared/words"
import { AdminApiError, apiMessage } from "../../../shared/admin-api"
import { formatFiat } from "../../../shared/figures"

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
              <Timeline payment={payment} />
            </Container>
          </LayoutComposer.Entry>,
        ],
      }}
    />
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
