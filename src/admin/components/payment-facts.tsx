import { Badge, Container, Heading } from "@medusajs/ui"
import { useWords } from "../hooks/words"
import type { CryptoPaymentDetail } from "../lib/contract"
import { gatewayCurrency } from "../lib/paid-amount"
import { providerName } from "../lib/provider-name"
import { Amount } from "./amount"
import { CaseWords } from "./attention-case"
import { CopyValue } from "./copy-value"
import { FactRow } from "./fact-row"
import { Moment } from "./moment"
import { OrderLink } from "./order-link"
import { needsAttention, PaymentActions } from "./payment-actions"
import { PaymentAmount } from "./payment-amount"
import { PaymentMoney } from "./payment-money"
import { AttentionBadge, StateBadge } from "./state-badge"

/** What is recorded of a payment, its open case on top, and the actions. */
export function PaymentFacts({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>
            <PaymentAmount payment={payment} />
          </Heading>
          <StateBadge state={payment.state} />
        </div>
        <div className="flex flex-wrap gap-2">
          <PaymentActions payment={payment} />
        </div>
      </div>
      {payment.attention_reason !== null && <Case payment={payment} />}
      <dl className="divide-y">
        <FactRow name={t("detail.gatewayStatus")}>
          {payment.gateway_status === null ? "–" : <Badge size="2xsmall">{payment.gateway_status}</Badge>}
        </FactRow>
        <PaymentMoney payment={payment} />
        <FactRow name={t("detail.refunded")}>
          <Amount value={payment.refunded_amount} currency={gatewayCurrency(payment)} />
        </FactRow>
        <FactRow name={t(payment.order_id === null ? "detail.cart" : "detail.order")}>
          <OrderOrCart payment={payment} />
        </FactRow>
        <FactRow name={t("detail.reference")}>{payment.ref_id ?? "–"}</FactRow>
        <FactRow name={t("detail.requestId")}>
          {payment.payment_request_id === null ? (
            "–"
          ) : (
            <CopyValue value={payment.payment_request_id} label={t("detail.requestId")} />
          )}
        </FactRow>
        <FactRow name={t("detail.link")}>
          {payment.payment_link === null ? (
            "–"
          ) : (
            <CopyValue value={payment.payment_link} label={t("common.copyLink")} />
          )}
        </FactRow>
        <FactRow name={t("detail.provider")}>{providerName(payment.provider_id)}</FactRow>
        <Times payment={payment} />
      </dl>
    </Container>
  )
}

function Case({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  if (payment.attention_reason === null) {
    return null
  }
  const isOpen = needsAttention(payment)
  return (
    <div className="bg-ui-bg-subtle flex flex-col gap-y-2 px-6 py-4">
      <div className="txt-compact-small text-ui-fg-subtle flex flex-wrap items-center gap-2">
        <AttentionBadge reason={payment.attention_reason} resolved={!isOpen} />
        <Moment at={isOpen ? payment.attention_since : payment.attention_resolved_at} />
      </div>
      {isOpen ? (
        <CaseWords payment={payment} />
      ) : (
        payment.attention_note !== null && (
          <p className="txt-small text-ui-fg-subtle whitespace-pre-line">
            {t("attention.note")}: {payment.attention_note}
          </p>
        )
      )}
    </div>
  )
}

function OrderOrCart({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  if (payment.order_id !== null) {
    return <OrderLink payment={payment} />
  }
  return payment.cart_id === null ? <>–</> : <CopyValue value={payment.cart_id} label={t("detail.cart")} />
}

function Times({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  return (
    <>
      <FactRow name={t("detail.created")}>
        <Moment exact at={payment.created_at} />
      </FactRow>
      <FactRow name={t("detail.paidAt")}>
        <Moment exact at={payment.paid_at} />
      </FactRow>
      <FactRow name={t("detail.capturedAt")}>
        <Moment exact at={payment.captured_at} />
      </FactRow>
      <FactRow name={t("detail.lastCheck")}>
        <Moment exact at={payment.last_checked_at} />
      </FactRow>
      <FactRow name={t("detail.nextCheck")}>
        {payment.next_check_at === null ? "–" : <Moment exact at={payment.next_check_at} />}
      </FactRow>
      <FactRow name={t("detail.lastWebhook")}>
        <Moment exact at={payment.last_webhook_at} />
      </FactRow>
    </>
  )
}
