import { Table } from "@medusajs/ui"
import type { ReactNode } from "react"
import { dayBefore, useDay } from "./settlement-query"
import { useWords } from "../shared/words"
import type { Settlements } from "../../http-contract"
import { type Figures, notCapturedOf, paymentsOf, refundedOf } from "./settled-payments"
import { Amount, TextLink } from "../shared/values"
import { EmptyNotice } from "../shared/notices"
import { formatCount } from "../shared/figures"
import { ScrollRegion } from "../shared/layout"

const FIGURE_COLUMNS = ["payments", "gross", "fees", "net", "refunded"]

/** A total for each currency, with what of it Medusa has not captured. */
export function SettlementsTotals({ report }: { report: Settlements }) {
  const t = useWords()
  return report.totals.length === 0 ? null : (
    <FigureTable name={t("settlements.totals")} columns={["total", ...FIGURE_COLUMNS, "notCaptured"]}>
      {report.totals.map((row) => {
        const figures = { from: report.from, to: report.to, row }
        return (
          <Table.Row key={row.currency_code} className="txt-compact-small-plus">
            <Table.Cell>{t("settlements.total")}</Table.Cell>
            <FigureCells figures={figures} />
            <FigureCell to={notCapturedOf(figures)}>
              {row.not_captured_count === 0 ? (
                "–"
              ) : (
                <Amount value={row.not_captured} currency={row.currency_code} />
              )}
            </FigureCell>
          </Table.Row>
        )
      })}
    </FigureTable>
  )
}

/** The report's figures, exactly. Each row leads to its payments, and to those of which something was refunded. */
export function SettlementsTable({ report }: { report: Settlements }) {
  const t = useWords()
  const toDay = useDay()
  if (report.settlements.length === 0) {
    return <EmptyNotice title={t("settlements.empty")} hint={t("settlements.emptyHint")} />
  }
  const words = (start: string, end: string) => {
    const last = dayBefore(end)
    return last === start ? toDay(start) : `${toDay(start)} – ${toDay(last)}`
  }
  return (
    <FigureTable name={t("settlements.title")} columns={["period", "coin", ...FIGURE_COLUMNS]}>
      {report.settlements.map((row) => (
        <Table.Row key={`${row.period_start}-${row.currency_code}-${row.coin ?? ""}`}>
          <Table.Cell className="whitespace-nowrap">{words(row.period_start, row.period_end)}</Table.Cell>
          <Table.Cell>{row.coin ?? "–"}</Table.Cell>
          <FigureCells figures={{ from: row.period_start, to: row.period_end, row }} />
        </Table.Row>
      ))}
    </FigureTable>
  )
}

const TEXTS = ["total", "period", "coin"]

function FigureTable({ name, columns, children }: { name: string; columns: string[]; children: ReactNode }) {
  const t = useWords()
  return (
    <ScrollRegion label={name}>
      <Table>
        <Table.Header>
          <Table.Row>
            {columns.map((column) => (
              <Table.HeaderCell
                key={column}
                className={TEXTS.includes(column) ? "text-start" : "text-end"}
                title={column === "fees" ? t("settlements.feesHint") : undefined}
              >
                {t(`settlements.${column}`)}
              </Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>{children}</Table.Body>
      </Table>
    </ScrollRegion>
  )
}

function FigureCells({ figures }: { figures: Figures }) {
  const { count, gross, fees, net, refunded, currency_code: currency } = figures.row
  return (
    <>
      <FigureCell to={paymentsOf(figures)}>{formatCount(count)}</FigureCell>
      {[gross, fees, net].map((value, index) => (
        <FigureCell key={index} to={null}>
          <Amount value={value} currency={currency} />
        </FigureCell>
      ))}
      <FigureCell to={refundedOf(figures)}>
        <Amount value={refunded} currency={currency} />
      </FigureCell>
    </>
  )
}

/** @param to the list of the payments that the figure is made of */
function FigureCell({ to, children }: { to: string | null; children: ReactNode }) {
  return (
    <Table.Cell className="text-end tabular-nums">
      {to === null ? children : <TextLink to={to}>{children}</TextLink>}
    </Table.Cell>
  )
}
