import { Badge, Text } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"
import type { CryptoPaymentDetail } from "../../../../http-contract"
import { GatewayComparison } from "../../../payments/gateway-comparison"
import { gatewayCurrency } from "../../../payments/payment"
import { PaymentFacts } from "../../../payments/payment-facts"
import { usePayment } from "../../../payments/payments"
import { Timeline } from "../../../payments/timeline"
import { AdminApiError } from "../../../shared/admin-api"
import { formatFiat } from "../../../shared/figures"
import { Card, Loaded, Remark, Subtle } from "../../../shared/layout"
import { crumb, guarded, Page } from "../../../shared/page"
import { Amount, Moment } from "../../../shared/values"
import { useWords } from "../../../shared/words"

/** One payment: what is recorded, what the gateway says now, what happened, and what can be done. */
const CryptoPaymentPage = () => {
  const t = useWords()
  const { id = "" } = useParams()
  // The page does not wait for the gateway; its record joins when it has answered.
  const { data, error, refetch } = usePayment(id)
  const isUnknown = error instanceof AdminApiError && error.status === 404
  return (
    <Loaded isPage lines={8} query={{ data, refetch, error: isUnknown ? t("detail.notFound") : error }}>
      {(payment) => (
        <Page
          zone="details"
          data={payment}
          main={{
            CryptoPaymentFacts: <PaymentFacts payment={payment} />,
            CryptoPaymentGateway: <GatewayComparison payment={payment} />,
          }}
          side={{
            CryptoPaymentRefunds: <RefundList payment={payment} />,
            CryptoPaymentTimeline: (
              <Card title={t("detail.timeline")}>
                <Timeline payment={payment} />
              </Card>
            ),
          }}
        />
      )}
    </Loaded>
  )
}

/** Refunds that were made in the gateway's dashboard and registered here. */
function RefundList({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  const currency = gatewayCurrency(payment)
  return (
    <Card title={t("detail.refunds")}>
      {payment.refunds.length === 0 && <Remark>{t("detail.noRefunds")}</Remark>}
      {payment.refunds.map(({ id, amount, state, reference, note, created_at }) => (
        <div key={id} className="flex flex-col gap-y-1 px-6 py-4">
          <div className="txt-compact-small flex flex-wrap items-center justify-between gap-2">
            <Amount value={amount} currency={currency} className="txt-compact-small-plus" />
            <Badge size="2xsmall" color={state === "applied" ? "green" : "orange"}>
              {t(`detail.refundState.${state}`)}
            </Badge>
          </div>
          <Subtle className="break-words">{reference}</Subtle>
          {note !== null && <Subtle className="whitespace-pre-line break-words">{note}</Subtle>}
          <Text size="small" className="text-ui-fg-muted">
            <Moment at={created_at} />
          </Text>
        </div>
      ))}
    </Card>
  )
}

/** "#8 · 20.01 USD". */
function PaymentCrumb({ params }: UIMatch) {
  const { data: payment } = usePayment(params["id"] ?? "")
  if (payment === undefined) {
    return <>…</>
  }
  const { order_display_id: number, amount, currency_code: currency } = payment
  const order = number === null ? [] : [`#${String(number)}`]
  return <bdi dir="ltr">{[...order, formatFiat(amount, currency)].join(" · ")}</bdi>
}

export const handle = crumb(PaymentCrumb)

export default guarded(CryptoPaymentPage)
