import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminCustomer } from "@medusajs/framework/types"
import { usePayments } from "../payments/payment-actions"
import { PaymentAmount, StateBadge } from "../payments/payment-summary"
import { Card } from "../shared/layout"
import { guarded } from "../shared/page"
import { Moment, OrderLink, TextLink } from "../shared/values"
import { t } from "../shared/words"

const MOST_SHOWN = 5

/** A customer's crypto payments. Nothing without one, and for users who may not read payments. */
export default guarded(function CustomerCryptoPayments({ data: { id, email } }: { data: AdminCustomer }) {
  const { data } = usePayments({ customer_id: id, order: "-created_at", limit: MOST_SHOWN })
  if (data === undefined || data.count === 0) {
    return null
  }
  const all = (
    <TextLink to={`/crypto-payments?q=${encodeURIComponent(email)}`} className="txt-small">
      {t("customer.all")}
    </TextLink>
  )
  return (
    <Card
      title={t("customer.title")}
      actions={data.count > MOST_SHOWN && all}
      data-testid="customer-crypto-payments"
    >
      <ul className="txt-compact-small divide-y">
        {data.crypto_payments.map((payment) => (
          <li key={payment.id} className="flex flex-wrap items-center justify-between gap-2 px-6 py-3">
            <TextLink to={`/crypto-payments/${payment.id}`}>
              <PaymentAmount payment={payment} />
            </TextLink>
            <OrderLink payment={payment} />
            <Moment at={payment.created_at} />
            <StateBadge payment={payment} />
          </li>
        ))}
      </ul>
    </Card>
  )
})

export const config = defineWidgetConfig({
  zone: "customer.details.after",
  id: "medusa-payment-crypto:customer",
})
