import { Badge, Container, Heading } from "@medusajs/ui"
import { CaseWords } from "../attention/attention-case"
import type { CryptoPaymentDetail } from "../../http-contract"
import { Disclosure, type Fact, Facts } from "../shared/layout"
import { providerName } from "../shared/provider"
import { CopyValue, Customer, Moment, OrderLink } from "../shared/values"
import { useWords, type Words } from "../shared/words"
import { needsAttention } from "./payment"
import { PaymentActions } from "./payment-actions"
import { amountFacts, AttentionBadge, costFacts, PaymentAmount, StateBadge } from "./payment-summary"

/** What is recorded of a payment, its open case on top, and the actions. */
export function PaymentFacts({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  const { gateway_status: status, paid_at: paidAt, customer } = payment
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>
            <PaymentAmount payment={payment} />
          </Heading>
          <StateBadge payment={payment} />
        </div>
        <PaymentActions payment={payment} />
      </div>
      {payment.attention_reason !== null && <Case payment={payment} />}
      <FactGroup
        facts={[
          [t("detail.gatewayStatus"), status === null ? "–" : <Badge size="2xsmall">{status}</Badge>],
          ...amountFacts(payment, t),
          [t("detail.paidAt"), paidAt !== null && <Moment exact at={paidAt} />],
        ]}
      />
      <FactGroup title={t("detail.groups.costs")} facts={costFacts(payment, t)} />
      <FactGroup
        title={t("detail.groups.customer")}
        facts={[
          [t("list.columns.customer"), customer !== null && <Customer customer={customer} />],
          payment.order_id === null
            ? idFact("cart", payment.cart_id, t)
            : [t("detail.order"), <OrderLink payment={payment} />],
        ]}
      />
      <Technical payment={payment} />
    </Container>
  )
}

function FactGroup({ title, facts }: { title?: string; facts: Fact[] }) {
  return facts.every(([, value]) => value === null || value === false) ? null : (
    <section className="py-2">
      {title !== undefined && (
        <Heading level="h3" className="txt-compact-small-plus px-6 pb-1 pt-2">
          {title}
        </Heading>
      )}
      <Facts facts={facts} />
    </section>
  )
}

/** An id or an address, to be copied. */
function idFact(name: string, value: string | null | undefined, t: Words): Fact {
  const label = t(`detail.${name}`)
  return [label, value != null && <CopyValue value={value} label={t("common.copy", { name: label })} />]
}

/** What only support and developers ask for. */
function Technical({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  const { paid_at: paidAt, next_check_at: nextCheckAt } = payment
  return (
    <Disclosure title={t("detail.groups.technical")}>
      <Facts
        className="pb-2"
        facts={[
          idFact("link", payment.payment_link, t),
          idFact("reference", payment.ref_id, t),
          idFact("requestId", payment.payment_request_id, t),
          idFact("paymentId", payment.id, t),
          idFact("session", payment.session_id, t),
          idFact("order", payment.order_id, t),
          idFact("cart", payment.order_id === null ? null : payment.cart_id, t),
          idFact("customerId", payment.customer?.id, t),
          [t("detail.provider"), providerName(payment.provider_id)],
          [t("detail.created"), <Moment exact at={payment.created_at} />],
          [
            t("detail.capturedAt"),
            paidAt !== null && <Moment exact at={payment.captured_at} none="detail.notCaptured" />,
          ],
          [t("detail.lastCheck"), <Moment exact at={payment.last_checked_at} />],
          [t("detail.nextCheck"), nextCheckAt !== null && <Moment exact at={nextCheckAt} />],
          [t("detail.lastWebhook"), <Moment exact at={payment.last_webhook_at} />],
        ]}
      />
    </Disclosure>
  )
}

function Case({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  const isOpen = needsAttention(payment)
  return (
    <div className="bg-ui-bg-subtle flex flex-col gap-y-2 px-6 py-4">
      <div className="txt-compact-small text-ui-fg-subtle flex flex-wrap items-center gap-2">
        <AttentionBadge payment={payment} />
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
