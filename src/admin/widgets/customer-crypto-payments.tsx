import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminCustomer } from "@medusajs/framework/types"
import { usePayments } from "../payments/payment-actions"
import { PaymentLines } from "../payments/payment-summary"
import { Card } from "../shared/layout"
import { guarded } from "../shared/page"
import { TextLink } from "../shared/values"
import { t } from "../shared/words"

const MOST_SHOWN = 5

/** A customer's crypto payments. Nothing without one, and for users who may not read payments. */
export default guarded(function CustomerCryptoPayments({ data: { id, email } }: { data: AdminCustomer }) {
  const { data } = usePayments({ customer_id: id, order: "-created_at", limit: MOST_SHOWN })
  const isInPart = data !== undefined && data.count > MOST_SHOWN
  const all = (
    <TextLink to={`/crypto-payments?q=${encodeURIComponent(email)}`} className="txt-small">
      {t("customer.all")}
    </TextLink>
  )
  return !data?.count ? null : (
    <Card title={t("customer.title")} actions={isInPart && all} data-testid="customer-crypto-payments">
      <PaymentLines hasOrders payments={data.crypto_payments} />
    </Card>
  )
})

export const config = defineWidgetConfig({
  zone: "customer.details.after",
  id: "medusa-payment-crypto:customer",
})
