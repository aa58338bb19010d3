import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Input, Label } from "@medusajs/ui"
import { type ChangeEvent, type ReactNode, useId, useState } from "react"
import { addDays, SettlementsReport, useSettlements } from "../../../settlements/settlements-report"
import { FIAT } from "../../../shared/figures"
import { Choice } from "../../../shared/form"
import { ActionButton, Loaded, SectionHeading } from "../../../shared/layout"
import { CardPage, guarded, named } from "../../../shared/page"
import { useExport, useUrlState } from "../../../shared/queries"
import { t } from "../../../shared/words"

const PERIODS = ["day", "week", "month"]

export default guarded(function SettlementsPage() {
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
  const file = useExport("/settlements/export", query, "settlements")
  const periods = PERIODS.map((value) => ({ value, label: t(`settlements.periods.${value}`) }))
  const currencies = [{ value: "all", label: t("settlements.allCurrencies") }, ...FIAT]
  const lastDay = report.data === undefined ? "" : addDays(report.data.to, -1)
  return (
    <CardPage zone="settlements" id="CryptoSettlements">
      <div>
        <SectionHeading
          level="h1"
          title={t("settlements.title")}
          subtitle={`${t("settlements.subtitle")}. ${t("settlements.timeZone", { zone: timeZone })}.`}
        >
          <ActionButton {...file} />
        </SectionHeading>
        <div className="grid grid-cols-2 gap-3 px-6 pb-4 md:grid-cols-4">
          <Labelled label={t("settlements.period")}>
            {(id) => <Choice id={id} value={period} onChange={setPeriod} options={periods} />}
          </Labelled>
          <Labelled label={t("settlements.currency")}>
            {(id) => <Choice id={id} value={currency} onChange={setCurrency} options={currencies} />}
          </Labelled>
          <Day label={t("settlements.from")} value={from || (report.data?.from ?? "")} onChange={setFrom} />
          <Day label={t("settlements.to")} value={to || lastDay} onChange={setTo} />
        </div>
      </div>
      <Loaded query={report}>{(data) => <SettlementsReport report={data} query={query} />}</Loaded>
    </CardPage>
  )
})

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
  // While a year is typed, its first digits are a year of long ago.
  const [typed, setTyped] = useState<string | null>(null)
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setTyped(target.value)
    if (target.validity.valid) {
      onChange(target.value)
    }
  }
  const input = { value: typed ?? value, onChange: take, onBlur: () => setTyped(null) }
  return (
    <Labelled label={label}>
      {(id) => <Input id={id} type="date" min="2000-01-01" max="9999-12-31" size="small" {...input} />}
    </Labelled>
  )
}

export const config = defineRouteConfig({
  label: "nav.settlements",
  translationNs: "cryptoPayments",
  rank: 2,
})

export const handle = named("nav.settlements")
