import { Badge, Container, Table, Text } from "@medusajs/ui"
import { usePayment } from "../hooks/payments"
import { useWords, type Words } from "../hooks/words"
import { apiMessage } from "../lib/api-message"
import type { CryptoPaymentDetail, GatewayRecord } from "../lib/contract"
import { formatAmount, isSameAmount } from "../lib/format-amount"
import { LoadError } from "./load-error"
import { LoadingRows } from "./loading-rows"
import { ScrollRegion } from "./scroll-region"
import { SectionHeading } from "./section-heading"

/** The gateway's record as it is now beside ours; what differs is marked. */
export function GatewayComparison({ payment }: { payment: CryptoPaymentDetail }) {
  const t = useWords()
  const { data: live, isFetching, isError, error, refetch } = usePayment(payment.id, true)
  const problem = live?.gateway_problem ?? null
  return (
    <Container className="divide-y overflow-hidden p-0">
      <SectionHeading title={t("detail.comparison")} subtitle={t("detail.comparisonHint")} />
      {live === undefined && isFetching && <LoadingRows count={5} />}
      {isError && <LoadError message={apiMessage(error, t)} onRetry={() => void refetch()} />}
      {problem !== null && (
        <LoadError message={t(`problems.${problem.problem}`)} onRetry={() => void refetch()} />
      )}
      {live !== undefined && live.gateway_record !== null && (
        <ComparisonTable rows={compare(payment, live.gateway_record, t)} />
      )}
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
    <ScrollRegion label={t("detail.comparison")}>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell className="text-start">{t("detail.field")}</Table.HeaderCell>
            <Table.HeaderCell className="text-start">{t("detail.ours")}</Table.HeaderCell>
            <Table.HeaderCell className="text-start">{t("detail.theirs")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map(({ name, ours, theirs, differs, isFigure }) => (
            <Table.Row key={name}>
              <Table.Cell>
                <Text size="small" leading="compact" weight="plus" className="text-ui-fg-subtle">
                  {t(`detail.fields.${name}`)}
                </Text>
              </Table.Cell>
              <Table.Cell>
                <Value isFigure={isFigure}>{ours}</Value>
              </Table.Cell>
              <Table.Cell>
                <span className="flex items-center gap-x-2">
                  <Value isFigure={isFigure}>{theirs}</Value>
                  {differs && (
                    <Badge size="2xsmall" color="orange">
                      {t("detail.differs")}
                    </Badge>
                  )}
                </span>
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </ScrollRegion>
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
  const text = (name: string, ours: string | null, theirs: string | null): ComparedRow => ({
    name,
    ours,
    theirs,
    differs: ours !== theirs,
    isFigure: false,
  })
  const amount = (name: string, ours: string | null, theirs: string | null): ComparedRow => ({
    name,
    ours: ours === null ? null : formatAmount(ours),
    theirs: theirs === null ? null : formatAmount(theirs),
    differs: ours === null || theirs === null ? ours !== theirs : !isSameAmount(ours, theirs),
    isFigure: true,
  })
  const payer = (who: string | null) => (who === "BUYER" || who === "MERCHANT" ? t(`feePaidBy.${who}`) : who)
  return [
    text("status", payment.gateway_status, record.payment_status),
    amount("amount", payment.amount, record.amount),
    text("currency", payment.currency_code.toUpperCase(), record.currency_symbol.toUpperCase()),
    text("coin", payment.payment_currency, record.payment_currency),
    amount("payment_amount", payment.payment_amount, record.payment_amount),
    amount("receiving_amount", payment.receiving_amount, record.receiving_amount),
    amount("fee_amount", payment.fee_amount, record.fee_amount),
    text("fee_paid_by", payer(payment.fee_paid_by), payer(record.fee_paid_by)),
    text("ref_id", payment.ref_id, record.ref_id),
  ]
}
