import { CheckCircleSolid } from "@medusajs/icons"
import { Badge, Container, Text } from "@medusajs/ui"
import type { CryptoPaymentDetail, GatewayRecord } from "../../http-contract"
import { formatAmount, isSameAmount } from "../shared/figures"
import { FigureTable, SectionHeading } from "../shared/layout"
import { LoadError, LoadingRows } from "../shared/notices"
import { useWords, type Words } from "../shared/words"
import { feePayer } from "./payment"
import { usePayment } from "./payments"

/** Whether the gateway's record is as ours, read just now; both side by side where something differs. */
export function GatewayComparison({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  const { data: live, isFetching, error, refetch } = usePayment(payment.id, true)
  const unread = live?.gateway_problem?.problem
  const problem = error ?? (unread === undefined ? null : t(`problems.${unread}`))
  const record = live?.gateway_record ?? null
  const rows = record === null ? [] : compare(payment, record, t)
  if (record !== null && !rows.some(({ differs }) => differs)) {
    return (
      <Container className="flex items-center gap-x-2 px-6 py-4">
        <CheckCircleSolid className="text-ui-tag-green-icon shrink-0" />
        <Text size="small">{t("detail.agrees")}</Text>
      </Container>
    )
  }
  if (live !== undefined && record === null && problem === null) {
    return null
  }
  return (
    <Container className="divide-y overflow-hidden p-0">
      <SectionHeading title={t("detail.comparison")} subtitle={t("detail.comparisonHint")} />
      {live === undefined && isFetching && <LoadingRows count={1} />}
      {problem !== null && <LoadError problem={problem} onRetry={() => void refetch()} />}
      {record !== null && <ComparisonTable rows={rows} />}
    </Container>
  )
}

interface ComparedRow {
  name: string
  ours: string | null
  theirs: string | null
  differs: boolean
  isFigure: boolean
}

function ComparisonTable({ rows }: { rows: ComparedRow[] }) {
  const t = useWords()
  return (
    <FigureTable
      label={t("detail.comparison")}
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        {
          header: t("detail.field"),
          cell: ({ name }) => (
            <Text size="small" leading="compact" weight="plus" className="text-ui-fg-subtle">
              {t(`detail.fields.${name}`)}
            </Text>
          ),
        },
        {
          header: t("detail.ours"),
          cell: ({ ours, isFigure }) => <Value isFigure={isFigure}>{ours}</Value>,
        },
        {
          header: t("detail.theirs"),
          cell: ({ theirs, differs, isFigure }) => (
            <span className="flex items-center gap-x-2">
              <Value isFigure={isFigure}>{theirs}</Value>
              {differs && (
                <Badge size="2xsmall" color="orange">
                  {t("detail.differs")}
                </Badge>
              )}
            </span>
          ),
        },
      ]}
    />
  )
}

/** A long reference is broken where there is no room for it, a figure never: half of one reads as another. */
function Value({ children, isFigure }: { children: string | null; isFigure: boolean }) {
  return (
    <bdi dir="ltr" className={isFigure ? undefined : "[overflow-wrap:anywhere]"}>
      {children ?? "–"}
    </bdi>
  )
}

function compare(payment: CryptoPaymentDetail, record: GatewayRecord, t: Words): ComparedRow[] {
  // Of a link that was never read, only what was asked for is recorded here. It is unpaid as far as is known: the
  // answer to its creation may say PENDING as well.
  const isRead = payment.last_checked_at !== null
  const status = isRead ? payment.gateway_status : "UNPAID"
  const text = (name: string, ours: string | null, theirs: string | null): ComparedRow => ({
    name,
    ours,
    theirs,
    differs: ours !== theirs,
    isFigure: false,
  })
  const amount = (name: string, ours: string | null, theirs: string | null, decimals = 2): ComparedRow => ({
    name,
    ours: ours === null ? null : formatAmount(ours, decimals),
    theirs: theirs === null ? null : formatAmount(theirs, decimals),
    differs: ours === null || theirs === null ? ours !== theirs : !isSameAmount(ours, theirs),
    isFigure: true,
  })
  const asked = [
    {
      ...text("status", payment.gateway_status, record.payment_status),
      differs: status !== record.payment_status,
    },
    amount("amount", payment.amount, record.amount),
    text("currency", payment.currency_code.toUpperCase(), record.currency_symbol.toUpperCase()),
  ]
  const told = [
    text("coin", payment.payment_currency, record.payment_currency),
    amount("payment_amount", payment.payment_amount, record.payment_amount, 0),
    amount("receiving_amount", payment.receiving_amount, record.receiving_amount),
    amount("fee_amount", payment.fee_amount, record.fee_amount),
    text("fee_paid_by", feePayer(payment.fee_paid_by, t), feePayer(record.fee_paid_by, t)),
    text("ref_id", payment.ref_id, record.ref_id),
  ]
  return [...asked, ...told.map((row) => ({ ...row, differs: row.differs && isRead }))]
}
