import { Text } from "@medusajs/ui"
import type { CryptoPayment } from "../../http-contract"
import { PaymentActions } from "../payments/payment-actions"
import { AttentionBadge, PaymentAmount } from "../payments/payment-summary"
import { formatFiat } from "../shared/figures"
import { Advice } from "../shared/layout"
import { providerName } from "../shared/provider"
import { useRelativeTime } from "../shared/relative-time"
import { Customer, OrderLink } from "../shared/values"
import { useWords } from "../shared/words"

/** One open case: what happened, what to do, and the buttons to do it with. */
export function AttentionCase({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const relativeTo = useRelativeTime()
  return (
    <article aria-label={payment.id} className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <AttentionBadge payment={payment} />
        <Text as="div" size="small" leading="compact" weight="plus" className="tabular-nums">
          <PaymentAmount payment={payment} />
        </Text>
        <Text as="div" size="small" leading="compact" className="text-ui-fg-subtle">
          <OrderLink payment={payment} />
        </Text>
        {payment.customer !== null && (
          <Text as="div" size="small" leading="compact" className="min-w-0">
            <Customer customer={payment.customer} />
          </Text>
        )}
        {payment.attention_since !== null && (
          <Text size="small" leading="compact" className="text-ui-fg-subtle">
            {relativeTo(payment.attention_since)}
          </Text>
        )}
      </div>
      <CaseWords payment={payment} />
      <PaymentActions payment={payment} details={t("attention.details")} />
    </article>
  )
}

/** What keeps Medusa from cancelling an unpaid order: a fulfillment, or the type of its open change. */
const OBSTACLES = ["edit", "return_request", "return_receive", "exchange", "claim", "fulfillment"]

/** What happened and what to do, in words. */
export function CaseWords({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const reason = payment.attention_reason ?? ""
  const { obstacle, paid_by: paidBy } = payment.attention_detail ?? {}
  const sum = payment.attention_amount
  const values = {
    provider: providerName(payment.provider_id),
    amount: sum === null ? "…" : formatFiat(sum, payment.currency_code),
  }
  const happened = [
    t(`attention.reasons.${reason}.happened`, values),
    obstacle && t(`attention.obstacles.${OBSTACLES.includes(obstacle) ? obstacle : "other"}`),
    paidBy && t("attention.paidBy", { provider: paidBy }),
  ]
  return (
    <Advice
      meaning={happened.filter(Boolean).join(" ")}
      todo={t(`attention.reasons.${reason}.todo`, values)}
    />
  )
}
