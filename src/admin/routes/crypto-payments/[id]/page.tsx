import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"
import { GatewayComparison } from "../../../payments/gateway-comparison"
import { PaymentFacts } from "../../../payments/payment-facts"
import { usePayment } from "../../../payments/payments"
import { RefundList } from "../../../payments/refund-list"
import { Timeline } from "../../../payments/timeline"
import { AdminApiError } from "../../../shared/admin-api"
import { formatFiat } from "../../../shared/figures"
import { SectionHeading } from "../../../shared/layout"
import { LoadError, LoadingRows } from "../../../shared/notices"
import { Boundary, guarded } from "../../../shared/page"
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
