import { Table } from "@medusajs/ui"
import { useWords } from "../hooks/words"
import { dayBefore } from "../hooks/settlement-query"
import type { Settlements, SettlementTotals } from "../lib/contract"
import { Amount } from "./amount"
import { EmptyNotice } from "./empty-notice"
import { ScrollRegion } from "./scroll-region"

/** The report's figures, exactly, with a total for each currency. */
export function SettlementsTable({ report }: { report: Settlements }) {
  const t = useWords()
  if (report.settlements.length === 0) {
    return <EmptyNotice title={t("settlements.empty")} hint={t("settlements.emptyHint")} />
  }
  const figures = ["payments", "gross", "fees", "net", "refunded"]
  return (
    <ScrollRegion label={t("settlements.title")}>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell className="text-start">{t("settlements.period")}</Table.HeaderCell>
            <Table.HeaderCell className="text-start">{t("settlements.coin")}</Table.HeaderCell>
            {figures.map((name) => (
              <Table.HeaderCell
                key={name}
                className="text-end"
                title={name === "fees" ? t("settlements.feesHint") : undefined}
              >
                {t(`settlements.${name}`)}
              </Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {report.settlements.map((row) => (
            <Table.Row key={`${row.period_start}-${row.currency_code}-${row.coin ?? ""}`}>
              <Table.Cell className="whitespace-nowrap">
                <bdi dir="ltr">{periodWords(row.period_start, row.period_end)}</bdi>
              </Table.Cell>
              <Table.Cell>{row.coin ?? "–"}</Table.Cell>
              <Figures row={row} />
            </Table.Row>
          ))}
          {report.totals.map((row) => (
            <Table.Row key={row.currency_code} className="bg-ui-bg-subtle txt-compact-small-plus">
              <Table.Cell>{t("settlements.total")}</Table.Cell>
              <Table.Cell />
              <Figures row={row} />
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </ScrollRegion>
  )
}

function Figures({ row }: { row: SettlementTotals }) {
  return (
    <>
      <Table.Cell className="text-end tabular-nums">{row.count}</Table.Cell>
      {[row.gross, row.fees, row.net, row.refunded].map((value, index) => (
        <Table.Cell key={index} className="text-end">
          <Amount value={value} currency={row.currency_code} />
        </Table.Cell>
      ))}
    </>
  )
}

function periodWords(start: string, end: string): string {
  const last = dayBefore(end)
  return last === start ? start : `${start} – ${last}`
}
