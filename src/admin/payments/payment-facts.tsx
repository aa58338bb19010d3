import { Container, Heading } from "@medusajs/ui"
import type { CryptoPaymentDetail } from "../../http-contract"
import { Disclosure, type Fact, Facts, known } from "../shared/layout"
import { providerName } from "../shared/page"
import { Customer, Moment, OrderLink } from "../shared/values"
import { t } from "../shared/words"
import { PaymentActions, PaymentLinkButton } from "./payment-actions"
import { amountFacts, Case, costFacts, idFact, PaymentAmount, StateBadge } from "./payment-summary"

export function PaymentFacts({ payment }: { payment: CryptoPaymentDetail }) {
  const { paid_at: paidAt, customer, order_id: orderId } = payment
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>
            <PaymentAmount payment={payment} />
          </Heading>
          <StateBadge payment={payment} />
        </div>
        <PaymentActions payment={payment}>
          {payment.owed !== null && orderId !== null && <PaymentLinkButton orderId={orderId} />}
        </PaymentActions>
      </div>
      <Case payment={payment} />
      <FactGroup
        facts={[
          ...amountFacts(payment),
          [t("detail.paidAt"), paidAt !== null && <Moment exact at={paidAt} />],
        ]}
      />
      <FactGroup title={t("detail.groups.costs")} facts={costFacts(payment)} />
      <FactGroup
        title={t("detail.groups.customer")}
        facts={[
          [t("list.columns.customer"), customer !== null && <Customer customer={customer} />],
          orderId === null
            ? idFact("cart", payment.cart_id)
            : [t("detail.order"), <OrderLink payment={payment} />],
        ]}
      />
      {/* Only for support and developers. */}
      <Disclosure title={t("detail.groups.technical")}>
        <Facts
          className="pb-2"
          facts={[
            idFact("link", payment.payment_link),
            idFact("reference", payment.ref_id),
            idFact("requestId", payment.payment_request_id),
            idFact("paymentId", payment.id),
            idFact("session", payment.session_id),
            idFact("order", orderId),
            idFact("cart", orderId && payment.cart_id),
            idFact("customerId", customer?.id),
            [t("detail.provider"), providerName(payment.provider_id)],
            [t("detail.created"), <Moment exact at={payment.created_at} />],
            [
              t("detail.capturedAt"),
              paidAt !== null && <Moment exact at={payment.captured_at} none="detail.notCaptured" />,
            ],
            [t("detail.lastCheck"), <Moment exact at={payment.last_checked_at} />],
            [
              t("detail.nextCheck"),
              payment.next_check_at !== null && <Moment exact at={payment.next_check_at} />,
            ],
            [t("detail.lastWebhook"), <Moment exact at={payment.last_webhook_at} />],
          ]}
        />
      </Disclosure>
    </Container>
  )
}

const FactGroup = ({ title, facts }: { title?: string; facts: Fact[] }) =>
  known(facts).length === 0 ? null : (
    <section className="py-2">
      {title !== undefined && (
        <Heading level="h3" className="txt-compact-small-plus px-6 pb-1 pt-2">
          {title}
        </Heading>
      )}
      <Facts facts={facts} />
    </section>
  )
