import { useDate } from "@medusajs/dashboard/hooks"
import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useWords } from "../hooks/words"
import { ORDER_OBSTACLES, type CryptoPayment } from "../lib/contract"
import { formatFiat } from "../lib/format-amount"
import { providerName } from "../lib/provider-name"
import { OrderLink } from "./order-link"
import { PaymentActions } from "./payment-actions"
import { PaymentAmount } from "./payment-amount"
import { AttentionBadge } from "./state-badge"

/** One open case: what happened, what to do, and the buttons to do it with. */
export function AttentionCase({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const { getRelativeDate } = useDate()
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
        {payment.attention_since !== null && (
          <Text size="small" leading="compact" className="text-ui-fg-subtle">
            {getRelativeDate(payment.attention_since)}
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
