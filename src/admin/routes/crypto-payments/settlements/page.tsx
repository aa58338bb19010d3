import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Input, Label } from "@medusajs/ui"
import { type ReactNode, useId } from "react"
import { addDays, useSettlements } from "../../../settlements/settlements"
import { SettlementsPlots } from "../../../settlements/settlements-plot"
import { SettlementsTable, SettlementsTotals } from "../../../settlements/settlements-table"
import { FIAT } from "../../../shared/figures"
import { Choice } from "../../../shared/form"
import { SectionHeading } from "../../../shared/layout"
import { Loaded } from "../../../shared/notices"
import { Crumb, ExportButton, guarded, Page } from "../../../shared/page"
import { useUrlState } from "../../../shared/url-state"
import { useWords } from "../../../shared/words"

const PERIODS = ["day", "week", "month"]

/** Gross, fees and net, over time. What the report is about is kept in the page's address. */
const SettlementsPage = () => {
  const t = useWords()
  const [inAddress, setPeriod] = useUrlState("period", "day")
  const [currency, setCurrency] = useUrlState("currency", "all")
  const [from, setFrom] = useUrlState("from", "")
  const [to, setTo] = useUrlState("to", "")
  const period = PERIODS.includes(inAddress) ? inAddress : "day"
  // Days are those of the reader's own clock.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const query = {
    period,
    currency: currency === "all" ? undefined : currency,
    from,
    // People mean the last day they name; the API's end is the day after.
    to: to === "" ? undefined : addDays(to, 1),
    time_zone: timeZone,
  }
  const report = useSettlements(query)
  return (
    <Page zone="settlements" id="CryptoSettlements">
      <div>
        <SectionHeading
          level="h1"
          title={t("settlements.title")}
          subtitle={`${t("settlements.subtitle")}. ${t("settlements.timeZone", { zone: timeZone })}.`}
        >
          <ExportButton of="settlements" query={query} />
        </SectionHeading>
        <div className="grid grid-cols-2 gap-3 px-6 pb-4 md:grid-cols-4">
          <Labelled label={t("settlements.period")}>
            {(id) => (
              <Choice
                id={id}
                value={period}
                onChange={setPeriod}
                options={PERIODS.map((value) => ({ value, label: t(`settlements.periods.${value}`) }))}
              />
            )}
          </Labelled>
          <Labelled label={t("settlements.currency")}>
            {(id) => (
              <Choice
                id={id}
                value={currency}
                onChange={setCurrency}
                options={[{ value: "all", label: t("settlements.allCurrencies") }, ...FIAT]}
              />
            )}
          </Labelled>
          <Day label={t("settlements.from")} value={from || (report.data?.from ?? "")} onChange={setFrom} />
          <Day
            label={t("settlements.to")}
            value={to || (report.data === undefined ? "" : addDays(report.data.to, -1))}
            onChange={setTo}
          />
        </div>
      </div>
      <Loaded query={report}>
        {(data) => (
          <>
            <SettlementsTotals report={data} />
            <SettlementsPlots report={data} query={query} />
            <SettlementsTable report={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-y-1">
      <Label htmlFor={id} size="xsmall" className="text-ui-fg-subtle">
        {label}
      </Label>
      {children(id)}
    </div>
  )
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <Labelled label={label}>
      {(id) => (
        <Input
          id={id}
          type="date"
          size="small"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Labelled>
  )
}

export const config = defineRouteConfig({
  label: "nav.settlements",
  translationNs: "cryptoPayments",
  rank: 2,
})

export const handle = { breadcrumb: () => <Crumb name="nav.settlements" /> }

export default guarded(SettlementsPage)
