import { CheckCircleSolid } from "@medusajs/icons"
import { Container, Heading, Text } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"
import type { CryptoPaymentDetail, GatewayRecord } from "../../../../http-contract"
import { feePayer, gatewayCurrency, givesLink, needsAttention } from "../../../payments/payment"
import { PaymentActions, usePayment } from "../../../payments/payment-actions"
import { Case, moneyFacts, PaymentAmount, StateBadge } from "../../../payments/payment-summary"
import { Timeline } from "../../../payments/timeline"
import { AdminApiError } from "../../../shared/admin-api"
import { formatAmount, formatFiat } from "../../../shared/figures"
import { Card, Disclosure, FactGroup, Facts, FigureTable, Mark, Remark, Subtle } from "../../../shared/layout"
import { crumb, guarded, Loaded, LoadError, LoadingRows, Page, providerName } from "../../../shared/page"
import { Amount, CopyValue, Customer, idFact, Moment, OrderLink } from "../../../shared/values"
import { t } from "../../../shared/words"

export default guarded(function CryptoPaymentPage() {
  const { id = "" } = useParams()
  // The page does not wait for the gateway, whose record is added once it answers.
  const { data, error, refetch } = usePayment(id)
  const isUnknown = error instanceof AdminApiError && error.status === 404
  return (
    <Loaded isPage isKept query={{ data, refetch, error: isUnknown ? t("detail.notFound") : error }}>
      {(payment) => (
        <Page
          zone="details"
          data={payment}
          main={{
            CryptoPaymentFacts: <PaymentFacts payment={payment} />,
            CryptoPaymentGateway: <GatewayComparison payment={payment} />,
          }}
          side={{
            CryptoPaymentRefunds: <RefundList payment={payment} />,
            CryptoPaymentTimeline: (
              <Card title={t("detail.timeline")}>
                <Timeline payment={payment} />
              </Card>
            ),
          }}
        />
      )}
    </Loaded>
  )
})

function PaymentFacts({ payment }: { payment: CryptoPaymentDetail }) {
  const { paid_at: paid, customer, order_id: orderId } = payment
  const exactly = (at: string | null, none?: string) => <Moment exact at={at} none={none} />
  const { amounts, costs } = moneyFacts(payment)
  const isOpen = needsAttention(payment)
  const hasLink = payment.owed !== null && (!isOpen || givesLink(payment))
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>
            <PaymentAmount payment={payment} />
          </Heading>
          <StateBadge payment={payment} />
        </div>
        <PaymentActions {...{ payment, hasLink, isPrimary: isOpen || hasLink }} />
      </div>
      <Case payment={payment} />
      <Facts
        className="py-2"
        facts={[
          idFact("reference", payment.ref_id),
          ...amounts,
          [t("detail.paidAt"), paid !== null && exactly(paid)],
        ]}
      />
      <FactGroup title={t("detail.groups.costs")} facts={costs} />
      <FactGroup
        title={t("detail.groups.customer")}
        facts={[
          [t("list.customer"), customer !== null && <Customer customer={customer} />],
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
            idFact("link", paid === null ? payment.payment_link : null),
            idFact("requestId", payment.payment_request_id),
            idFact("paymentId", payment.id),
            idFact("session", payment.session_id),
            idFact("order", orderId),
            idFact("cart", orderId && payment.cart_id),
            idFact("customerId", customer?.id),
            [t("common.provider"), providerName(payment.provider_id)],
            [t("common.created"), exactly(payment.created_at)],
            [t("detail.capturedAt"), paid !== null && exactly(payment.captured_at, "detail.notCaptured")],
            [t("common.lastCheck"), exactly(payment.last_checked_at)],
            [t("detail.nextCheck"), payment.next_check_at !== null && exactly(payment.next_check_at)],
            [t("detail.lastWebhook"), exactly(payment.last_webhook_at)],
          ]}
        />
      </Disclosure>
    </Container>
  )
}

function RefundList({ payment }: { payment: CryptoPaymentDetail }) {
  const currency = gatewayCurrency(payment)
  return (
    <Card title={t("detail.refunds")}>
      {payment.refunds.length === 0 && <Remark>{t("detail.noRefunds")}</Remark>}
      {payment.refunds.map(({ id, amount, state, reference, note, created_at }) => (
        <div key={id} className="txt-compact-small flex flex-col gap-y-1 px-6 py-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Amount value={amount} currency={currency} className="txt-compact-small-plus" />
            <Mark color={state === "applied" ? "green" : "orange"}>{t(`detail.refundState.${state}`)}</Mark>
          </div>
          <CopyValue value={reference} label={t("common.copy", { name: t("refund.reference") })} />
          {note !== null && <Subtle className="whitespace-pre-line break-words">{note}</Subtle>}
          <Text size="small" className="text-ui-fg-muted">
            <Moment at={created_at} />
          </Text>
        </div>
      ))}
    </Card>
  )
}

/** "#8 · 20.01 USD". */
function PaymentCrumb({ params }: UIMatch) {
  const { data: payment } = usePayment(params["id"] ?? "")
  if (payment === undefined) {
    return <>…</>
  }
  const amount = formatFiat(payment.amount, payment.currency_code)
  const number = payment.order_display_id
  return <bdi dir="ltr">{number === null ? amount : `#${String(number)} · ${amount}`}</bdi>
}

/** Whether the gateway's record agrees with ours; both next to each other where something differs. */
function GatewayComparison({ payment }: { payment: CryptoPaymentDetail }) {
  const { data: live, isFetching, error, refetch } = usePayment(payment.id, true)
  const unread = live?.gateway_problem?.problem
  const problem = error ?? (unread === undefined ? null : t(`problems.${unread}`))
  const isUnknown = error === null && unread === "unknown_to_gateway"
  // After an error, the answer before it is still there.
  const record = error === null ? (live?.gateway_record ?? null) : null
  const rows = record && compare(payment, record)
  if (rows?.every(({ differs }) => !differs)) {
    return (
      <Container className="flex items-center gap-x-2 px-6 py-4">
        <CheckCircleSolid className="text-ui-tag-green-icon shrink-0" />
        <Text size="small">{t("detail.agrees")}</Text>
      </Container>
    )
  }
  // A long reference may be broken, a figure never: a part of a figure reads as another figure.
  const value = (text: string | null, { isFigure }: ComparedRow) => (
    <bdi dir="ltr" className={isFigure ? undefined : "[overflow-wrap:anywhere]"}>
      {text ?? "–"}
    </bdi>
  )
  const theirs = (row: ComparedRow) => (
    <span className="flex items-center gap-x-2">
      {value(row.theirs, row)}
      {row.differs && <Mark color="orange">{t("detail.differs")}</Mark>}
    </span>
  )
  return live !== undefined && rows === null && problem === null ? null : (
    <Card title={t("detail.comparison")} subtitle={rows ? t("detail.comparisonHint") : undefined}>
      {live === undefined && isFetching && <LoadingRows count={1} />}
      {isUnknown && <Remark>{t("problems.unknown_to_gateway")}</Remark>}
      {problem !== null && !isUnknown && <LoadError problem={problem} retry={refetch} />}
      {rows !== null && (
        <FigureTable
          label={t("detail.comparison")}
          rows={rows}
          rowKey={(row) => row.name}
          columns={[
            [t("detail.field"), ({ name }) => name, "txt-compact-small-plus text-ui-fg-subtle"],
            [t("detail.ours"), (row) => value(row.ours, row)],
            [t("detail.theirs"), theirs],
          ]}
        />
      )}
    </Card>
  )
}

type ComparedRow = ReturnType<typeof compare>[number]

function compare(payment: CryptoPaymentDetail, record: GatewayRecord) {
  // A link that was never read counts as unpaid, although the answer to its creation may say PENDING.
  const isRead = payment.gateway_amount !== null
  type Value = string | null
  const row = (name: string, our: Value, their: Value, decimals?: number, isKnown = isRead) => {
    const isFigure = decimals !== undefined
    const shown = (value: Value) => (value && isFigure ? formatAmount(value, decimals) : value)
    const [ours, theirs] = [shown(our), shown(their)]
    return { name, ours, theirs, differs: isKnown && ours !== theirs, isFigure }
  }
  const status = row(t("common.status"), payment.gateway_status, record.payment_status)
  const [ourCurrency, theirs] = [payment.currency_code, record.currency_symbol]
  return [
    isRead ? status : { ...status, differs: record.payment_status !== "UNPAID" },
    row(t("common.amount"), payment.amount, record.amount, 2, true),
    row(t("detail.fields.currency"), ourCurrency.toUpperCase(), theirs.toUpperCase(), undefined, true),
    row(t("common.coin"), payment.payment_currency, record.payment_currency),
    row(t("detail.fields.payment_amount"), payment.payment_amount, record.payment_amount, 0),
    row(t("common.net"), payment.receiving_amount, record.receiving_amount, 2),
    row(t("common.fee"), payment.fee_amount, record.fee_amount, 2),
    row(t("detail.fields.fee_paid_by"), feePayer(payment.fee_paid_by), feePayer(record.fee_paid_by)),
    row(t("detail.fields.ref_id"), payment.ref_id, record.ref_id),
  ]
}

export const handle = crumb(PaymentCrumb)
