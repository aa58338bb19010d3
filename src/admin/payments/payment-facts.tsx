import { TriangleDownMini } from "@medusajs/icons"
import { Badge, Container, Heading } from "@medusajs/ui"
import type { PropsWithChildren } from "react"
import { useWords } from "../shared/words"
import type { CryptoPaymentDetail } from "../../http-contract"
import { needsAttention } from "./payment"
import { providerName } from "../shared/provider"
import { CaseWords } from "../attention/attention-case"
import { CopyValue, Customer, Moment, OrderLink } from "../shared/values"
import { FactRow } from "../shared/layout"
import { PaymentActions } from "./payment-actions"
import { AttentionBadge, PaymentAmount, PaymentAmounts, PaymentCosts, StateBadge } from "./payment-money"

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
          <StateBadge payment={payment} />
        </div>
        <div className="flex flex-wrap gap-2">
          <PaymentActions payment={payment} />
        </div>
      </div>
      {payment.attention_reason !== null && <Case payment={payment} />}
      <FactGroup>
        <FactRow name={t("detail.gatewayStatus")}>
          {payment.gateway_status === null ? "–" : <Badge size="2xsmall">{payment.gateway_status}</Badge>}
        </FactRow>
        <PaymentAmounts payment={payment} />
        {payment.paid_at !== null && (
          <FactRow name={t("detail.paidAt")}>
            <Moment exact at={payment.paid_at} />
          </FactRow>
        )}
      </FactGroup>
      {(payment.fee_amount !== null || payment.receiving_amount !== null) && (
        <FactGroup title={t("detail.groups.costs")}>
          <PaymentCosts payment={payment} />
        </FactGroup>
      )}
      {(payment.customer !== null || payment.order_id !== null || payment.cart_id !== null) && (
        <FactGroup title={t("detail.groups.customer")}>
          {payment.customer !== null && (
            <FactRow name={t("list.columns.customer")}>
              <Customer payment={payment} />
            </FactRow>
          )}
          {payment.order_id !== null ? (
            <FactRow name={t("detail.order")}>
              <OrderLink payment={payment} />
            </FactRow>
          ) : (
            <IdRow name="cart" value={payment.cart_id} />
          )}
        </FactGroup>
      )}
      <Technical payment={payment} />
    </Container>
  )
}

function FactGroup({ title, children }: PropsWithChildren<{ title?: string }>) {
  return (
    <section className="py-2">
      {title !== undefined && (
        <Heading level="h3" className="txt-compact-small-plus px-6 pb-1 pt-2">
          {title}
        </Heading>
      )}
      <dl>{children}</dl>
    </section>
  )
}

/** An id or an address, to be copied. */
function IdRow({ name, value }: { name: string; value: string | null }) {
  const t = useWords()
  return value === null ? null : (
    <FactRow name={t(`detail.${name}`)}>
      <CopyValue value={value} label={t("common.copy", { name: t(`detail.${name}`) })} />
    </FactRow>
  )
}

/** What only support and developers ask for. */
function Technical({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  return (
    <details className="group">
      <summary className="txt-compact-small-plus flex cursor-pointer items-center justify-between px-6 py-4">
        {t("detail.groups.technical")}
        <TriangleDownMini className="text-ui-fg-muted group-open:rotate-180" />
      </summary>
      <dl className="pb-2">
        <IdRow name="link" value={payment.payment_link} />
        <IdRow name="reference" value={payment.ref_id} />
        <IdRow name="requestId" value={payment.payment_request_id} />
        <IdRow name="paymentId" value={payment.id} />
        <IdRow name="session" value={payment.session_id} />
        <IdRow name="order" value={payment.order_id} />
        <IdRow name="cart" value={payment.order_id === null ? null : payment.cart_id} />
        <IdRow name="customerId" value={payment.customer?.id ?? null} />
        <FactRow name={t("detail.provider")}>{providerName(payment.provider_id)}</FactRow>
        <Times payment={payment} />
      </dl>
    </details>
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

function Times({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  return (
    <>
      <FactRow name={t("detail.created")}>
        <Moment exact at={payment.created_at} />
      </FactRow>
      {payment.paid_at !== null && (
        <FactRow name={t("detail.capturedAt")}>
          <Moment exact at={payment.captured_at} none="detail.notCaptured" />
        </FactRow>
      )}
      <FactRow name={t("detail.lastCheck")}>
        <Moment exact at={payment.last_checked_at} />
      </FactRow>
      {payment.next_check_at !== null && (
        <FactRow name={t("detail.nextCheck")}>
          <Moment exact at={payment.next_check_at} />
        </FactRow>
      )}
      <FactRow name={t("detail.lastWebhook")}>
        <Moment exact at={payment.last_webhook_at} />
      </FactRow>
    </>
  )
}
