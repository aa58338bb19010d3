import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminOrder } from "@medusajs/framework/types"
import { Text } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import { type PropsWithChildren, useEffect } from "react"
import type { CryptoPayment, CryptoPaymentDetail } from "../../http-contract"
import { arrangePayments, givesLink, needsAttention } from "../payments/payment"
import { CopyActions, PaymentActions, usePayment, usePayments } from "../payments/payment-actions"
import { Case, moneyFacts, PaymentLines, PaymentLink, StateBadge } from "../payments/payment-summary"
import { Timeline } from "../payments/timeline"
import { useHealth } from "../settings/settings"
import { isForbidden } from "../shared/admin-api"
import { FIAT, formatFiat } from "../shared/figures"
import { Card, Disclosure, Facts, Strong } from "../shared/layout"
import { guarded, LoadError } from "../shared/page"
import { idFact } from "../shared/values"
import { t } from "../shared/words"

/** As the pages of orders and draft orders give it. */
type ShownOrder = Omit<AdminOrder, "payment_collections"> & Partial<Pick<AdminOrder, "payment_collections">>

/** An order's crypto payments, or where it can be paid. Nothing if it is paid otherwise, or may not be read. */
export default guarded(function OrderCryptoPayment({ data: order }: { data: ShownOrder }) {
  const { data, error, refetch } = usePayments({ order_id: order.id, order: "created_at", limit: 200 })
  const client = useQueryClient()
  // The page passes another order once it was edited or marked as paid there. What it owes may have changed.
  useEffect(() => () => void client.invalidateQueries({ queryKey: ["crypto-payments"] }), [order, client])
  const isUnread = error !== null && data === undefined
  const owed = data?.count === 0 ? owedOtherwise(order) : null
  if (owed !== null) {
    return <LinkOnly order={order} owed={owed} />
  }
  return isForbidden(error) || (!isUnread && !data?.count) ? null : (
    <Card title={t("widget.title")} data-testid="order-crypto-payment">
      {isUnread && <LoadError problem={error} retry={refetch} />}
      {data !== undefined && <OrderPayments orderId={order.id} payments={data.crypto_payments} />}
    </Card>
  )
})

/** An order may owe something however it was paid: it was edited, or its payment was sent back. */
function OrderPayments({ orderId, payments }: { orderId: string; payments: CryptoPayment[] }) {
  const { shown, earlier } = arrangePayments(payments)
  const owed = usePayment(shown[0]?.id ?? "").data?.owed
  // With any other case money may have arrived, and the pay page asks nobody to pay.
  const blocking = shown.find((payment) => needsAttention(payment) && !givesLink(payment))
  const leading = blocking ?? (owed ? undefined : shown.find(needsAttention))
  return (
    <>
      {owed && <Owed owed={owed}>{!blocking && <CopyActions isPrimary orderId={orderId} />}</Owed>}
      {shown.map((payment) => (
        <OrderPayment key={payment.id} payment={payment} isPrimary={payment === leading} />
      ))}
      {/* Links that were replaced, closed or never given out: nothing can be done about them. */}
      {earlier.length > 0 && (
        <Disclosure title={t("widget.earlier", { count: earlier.length })}>
          <PaymentLines hasOrders={false} payments={earlier} />
        </Disclosure>
      )}
    </>
  )
}

function OrderPayment({ payment, isPrimary }: { payment: CryptoPayment; isPrimary: boolean }) {
  const { data: detail, isPending } = usePayment(payment.id)
  const { amounts, costs } = moneyFacts(payment)
  return (
    <article aria-label={payment.id} className="divide-y">
      <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-4">
        <Strong className="tabular-nums">
          <PaymentLink payment={payment} />
        </Strong>
        <StateBadge payment={payment} />
      </div>
      {needsAttention(payment) && <Case payment={payment} isOwedShown={detail?.owed !== null} />}
      <Facts className="py-2" facts={[...amounts, ...costs, idFact("reference", payment.ref_id)]} />
      {detail !== undefined && (
        <section aria-label={t("detail.timeline")}>
          <Timeline payment={detail} shown={3} />
        </section>
      )}
      {/* What the order owes decides which action is the first. */}
      {!isPending && (
        <div className="px-6 py-4">
          <PaymentActions payment={payment} hasLink={false} isPrimary={isPrimary} />
        </div>
      )}
    </article>
  )
}

type OwedSum = NonNullable<CryptoPaymentDetail["owed"]>

/** The merchant chooses where the API would have to choose one of several providers. */
function LinkOnly({ order: { id: orderId, region_id }, owed }: { order: ShownOrder; owed: OwedSum }) {
  const { providers = [], regions = [] } = useHealth().data ?? {}
  const usable = providers.flatMap((one) => (one.configured ? one.provider_id : []))
  const ofRegion = regions.find(({ id }) => id === region_id)?.provider_ids ?? []
  const inRegion = usable.filter((id) => ofRegion.includes(id))
  const choices = inRegion.length > 0 ? inRegion : usable
  const isPrimary = choices.length === 1
  return usable.length === 0 ? null : (
    <Card title={t("widget.title")} data-testid="order-crypto-payment">
      <Owed owed={owed}>
        {choices.map((providerId) => (
          <CopyActions key={providerId} {...{ orderId, isPrimary, ...(!isPrimary && { providerId }) }} />
        ))}
      </Owed>
    </Card>
  )
}

/** Of an order without a crypto payment. Not while another payment of it was begun, which may be captured later. */
function owedOtherwise({ currency_code, status, summary, ...order }: ShownOrder): OwedSum | null {
  // Not core's `pending_difference`: it deducts returns that were only requested.
  const amount = (order.total - summary.transaction_total).toFixed(2)
  const isBegun = order.payment_collections?.some(
    ({ payments = [], payment_sessions: sessions = [] }) =>
      payments.some(
        // Medusa's manual payments are never captured by themselves.
        ({ captured_at, canceled_at: isOver, provider_id }) =>
          !captured_at && !isOver && provider_id !== "pp_system_default"
      ) || sessions.some((session) => session.status === "pending_authorization")
  )
  const isTaken = FIAT.some(({ value }) => value === currency_code) && status !== "canceled"
  // More than one smallest coin, as core and `order-balance.ts` compare.
  return isTaken && isBegun !== true && Number(amount) > 0.01 ? { amount, currency_code } : null
}

const Owed = ({ owed, children }: PropsWithChildren<{ owed: OwedSum }>) => (
  <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-4">
    <Text size="small">{t("widget.owed", { amount: formatFiat(owed.amount, owed.currency_code) })}</Text>
    {children}
  </div>
)

export const config = defineWidgetConfig({
  zone: ["order.details.side.after", "draft_order.details.side.after"],
  id: "medusa-payment-crypto:order-payment",
})
