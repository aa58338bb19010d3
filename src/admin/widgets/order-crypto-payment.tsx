import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { Badge, Button, Container, Heading } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { AttentionBadge, StateBadge } from "../components/state-badge"
import { CaseWords } from "../components/attention-case"
import { CopyValue } from "../components/copy-value"
import { FactRow } from "../components/fact-row"
import { LoadError } from "../components/load-error"
import { needsAttention, PaymentActions } from "../components/payment-actions"
import { PaymentMoney } from "../components/payment-money"
import { Timeline } from "../components/timeline"
import { usePayment, usePaymentsOfOrder } from "../hooks/payments"
import { useWords } from "../hooks/words"
import { apiMessage } from "../lib/api-message"
import type { CryptoPayment } from "../lib/contract"
import { gatewayCurrency } from "../lib/paid-amount"

const SHOWN_ACTIVITIES = 3

/** On an order's page: its crypto payments. Nothing on orders paid otherwise. */
const OrderCryptoPayment = ({ data: order }: { data: { id: string } }) => {
  const t = useWords()
  const { data, error, refetch } = usePaymentsOfOrder(order.id)
  if (error !== null && data === undefined) {
    return (
      <Container className="divide-y p-0">
        <Heading level="h2" className="px-6 py-4">
          {t("widget.title")}
        </Heading>
        <LoadError message={apiMessage(error, t)} onRetry={() => void refetch()} />
      </Container>
    )
  }
  return (
    <>
      {data?.crypto_payments.map((payment) => (
        <OrderPayment key={payment.id} payment={payment} />
      ))}
    </>
  )
}

function OrderPayment({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const { data: detail } = usePayment(payment.id, false)
  return (
    <Container className="divide-y p-0" data-testid="order-crypto-payment">
      <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-4">
        <Heading level="h2">{t("widget.title")}</Heading>
        <StateBadge state={payment.state} />
      </div>
      {needsAttention(payment) && payment.attention_reason !== null && (
        <div className="bg-ui-bg-subtle flex flex-col items-start gap-y-2 px-6 py-4">
          <AttentionBadge reason={payment.attention_reason} resolved={false} />
          <CaseWords payment={payment} />
        </div>
      )}
      <dl className="divide-y">
        <FactRow name={t("detail.gatewayStatus")}>
          {payment.gateway_status === null ? "–" : <Badge size="2xsmall">{payment.gateway_status}</Badge>}
        </FactRow>
        <PaymentMoney payment={payment} />
        <FactRow name={t("detail.reference")}>{payment.ref_id ?? "–"}</FactRow>
        <FactRow name={t("detail.link")}>
          {payment.payment_link === null ? (
            "–"
          ) : (
            <CopyValue value={payment.payment_link} label={t("common.copyLink")} />
          )}
        </FactRow>
      </dl>
      {detail !== undefined && (
        <section aria-label={t("widget.timeline")}>
          <Timeline
            activities={detail.activities}
            currency={gatewayCurrency(detail)}
            shown={SHOWN_ACTIVITIES}
          />
        </section>
      )}
      <div className="flex flex-wrap gap-2 px-6 py-4">
        <Button size="small" variant="secondary" asChild>
          <Link to={`/crypto-payments/${payment.id}`}>{t("widget.viewAll")}</Link>
        </Button>
        <PaymentActions payment={payment} />
      </div>
    </Container>
  )
}

export const config = defineWidgetConfig({
  zone: "order.details.side.after",
  id: "medusa-payment-crypto:order-payment",
})

export default OrderCryptoPayment
