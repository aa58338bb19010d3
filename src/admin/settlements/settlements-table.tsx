import type { ReactNode } from "react"
import type { Settlements } from "../../http-contract"
import { formatCount } from "../shared/figures"
import { type Column, FigureTable } from "../shared/layout"
import { EmptyNotice } from "../shared/notices"
import { Amount, TextLink } from "../shared/values"
import { useWords, type Words } from "../shared/words"
import { addDays, type Figures, listAddress, useDay } from "./settlements"

/** A total for each currency, with what of it Medusa has not captured. */
export function SettlementsTotals({ report: { from, to, totals } }: { report: Settlements }) {
  const t = useWords()
  return totals.length === 0 ? null : (
    <FigureTable<Figures>
      label={t("settlements.totals")}
      rows={totals.map((row) => ({ from, to, row }))}
      rowKey={({ row }) => row.currency_code}
      rowProps={() => ({ className: "txt-compact-small-plus" })}
      columns={[
        { header: t("settlements.total"), cell: () => t("settlements.total") },
        ...figureColumns(t),
        figureColumn("notCaptured", t, (figures) =>
          figures.row.not_captured_count === 0
            ? "–"
            : linked(money("not_captured", figures), listAddress("paid_at", figures, ["paid"]))
        ),
      ]}
    />
  )
}

/** The report's figures, exactly. Each row leads to its payments, and to those of which something was refunded. */
export function SettlementsTable({ report: { settlements } }: { report: Settlements }) {
  const t = useWords()
  const toDay = useDay()
  if (settlements.length === 0) {
    return <EmptyNotice title={t("settlements.empty")} hint={t("settlements.emptyHint")} />
  }
  return (
    <FigureTable<Figures>
      label={t("settlements.title")}
      rows={settlements.map((row) => ({ from: row.period_start, to: row.period_end, row }))}
      rowKey={({ from, row }) => `${from}-${row.currency_code}-${row.coin ?? ""}`}
      columns={[
        {
          header: t("settlements.period"),
          className: "whitespace-nowrap",
          cell: ({ from, to }) => [...new Set([from, addDays(to, -1)])].map(toDay).join(" – "),
        },
        { header: t("settlements.coin"), cell: ({ row }) => row.coin ?? "–" },
        ...figureColumns(t),
      ]}
    />
  )
}

function figureColumns(t: Words): Column<Figures>[] {
  return [
    figureColumn("payments", t, (figures) => {
      const { count } = figures.row
      return count === 0 ? count : linked(formatCount(count), listAddress("paid_at", figures))
    }),
    ...(["gross", "fees", "net"] as const).map((name) =>
      figureColumn(name, t, (figures) => money(name, figures))
    ),
    figureColumn("refunded", t, (figures) => {
      const refunded = money("refunded", figures)
      return figures.row.refund_count === 0 ? refunded : linked(refunded, listAddress("refunded_at", figures))
    }),
  ]
}

function figureColumn(name: string, t: Words, cell: (figures: Figures) => ReactNode): Column<Figures> {
  const hint = name === "fees" ? t("settlements.feesHint") : undefined
  return { header: t(`settlements.${name}`), hint, isFigure: true, cell }
}

function money(name: "gross" | "fees" | "net" | "refunded" | "not_captured", { row }: Figures) {
  return <Amount value={row[name]} currency={row.currency_code} />
}

const linked = (figure: ReactNode, to: string) => <TextLink to={to}>{figure}</TextLink>
