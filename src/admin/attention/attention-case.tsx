import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useRelativeTime } from "../shared/relative-time"
import { useWords } from "../shared/words"
import type { CryptoPayment } from "../../http-contract"
import { ORDER_OBSTACLES } from "../shared/closed-lists"
import { formatFiat } from "../shared/figures"
import { providerName } from "../shared/provider"
import { Customer, OrderLink } from "../shared/values"
import { PaymentActions } from "../payments/payment-actions"
import { AttentionBadge, PaymentAmount } from "../payments/payment-money"

/** One open case: what happened, what to do, and the buttons to do it with. */
export function AttentionCase({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const relativeTo = useRelativeTime()
  if (payment.attention_reason === null) {
    return null
  }
  return (
    <article aria-label={payment.id} className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <AttentionBadge reason={payment.attention_reason} resolved={false} />
        <Text as="div" size="small" leading="compact" weight="plus" className="tabular-nums">
          <PaymentAmount payment={payment} />
        </Text>
        <Text as="div" size="small" leading="compact" className="text-ui-fg-subtle">
          <OrderLink payment={payment} />
        </Text>
        {payment.customer !== null && (
          <Text as="div" size="small" leading="compact" className="min-w-0">
            <Customer payment={payment} />
          </Text>
        )}
        {payment.attention_since !== null && (
          <Text size="small" leading="compact" className="text-ui-fg-subtle">
            {relativeTo(payment.attention_since)}
          </Text>
        )}
      </div>
      <CaseWords payment={payment} />
      <div className="flex flex-wrap gap-2">
        <Button size="small" variant="secondary" asChild>
          <Link to={`/crypto-payments/${payment.id}`}>{t("attention.details")}</Link>
        </Button>
        <PaymentActions payment={payment} />
      </div>
    </article>
  )
}

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
  return (
    <div className="flex max-w-3xl flex-col gap-y-1">
      <Text size="small" className="text-pretty">
        {t(`attention.reasons.${reason}.happened`, values)}
        {obstacle &&
          ` ${t(`attention.obstacles.${ORDER_OBSTACLES.includes(obstacle) ? obstacle : "other"}`)}`}
        {paidBy && ` ${t("attention.paidBy", { provider: paidBy })}`}
      </Text>
      <Text size="small" className="text-ui-fg-subtle text-pretty">
        <span className="font-medium">{t("attention.whatToDo")}: </span>
        {t(`attention.reasons.${reason}.todo`, values)}
      </Text>
    </div>
  )
}
