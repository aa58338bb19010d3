import { Button, Input, Label, Select } from "@medusajs/ui"
import { type ReactNode, useId } from "react"
import { useCsv } from "../shared/queries"
import { dayBefore, type SettlementChoices } from "./settlement-query"
import { useDirection, useWords } from "../shared/words"
import type { Query } from "../shared/admin-api"
import type { Settlements } from "../../http-contract"
import { SectionHeading } from "../shared/layout"

interface ToolbarProps {
  query: Query
  choices: SettlementChoices
  report: Settlements | undefined
}

/** Title, what the report is about, and its CSV. */
export function SettlementsToolbar({ query, choices, report }: ToolbarProps) {
  const t = useWords()
  return (
    <div>
      <SectionHeading
        level="h1"
        title={t("settlements.title")}
        subtitle={`${t("settlements.subtitle")}. ${t("settlements.timeZone", { zone: choices.timeZone })}.`}
      >
        <ExportButton query={query} />
      </SectionHeading>
      <div className="grid grid-cols-2 gap-3 px-6 pb-4 md:grid-cols-4">
        <Choice
          label={t("settlements.period")}
          value={choices.period}
          onChange={choices.setPeriod}
          options={["day", "week", "month"].map((value) => [value, t(`settlements.periods.${value}`)])}
        />
        <Choice
          label={t("settlements.currency")}
          value={choices.currency}
          onChange={choices.setCurrency}
          options={[
            ["all", t("settlements.allCurrencies")],
            ["aed", "AED"],
            ["usd", "USD"],
          ]}
        />
        <Day
          label={t("settlements.from")}
          value={choices.from || (report?.from ?? "")}
          onChange={choices.setFrom}
        />
        <Day
          label={t("settlements.to")}
          value={choices.to || (report === undefined ? "" : dayBefore(report.to))}
          onChange={choices.setTo}
        />
      </div>
    </div>
  )
}

function ExportButton({ query }: { query: Query }) {
  const t = useWords()
  const { saveCsv, isSaving } = useCsv("/settlements/export", "crypto-settlements.csv")
  const save = () => saveCsv(query)
  return (
    <Button size="small" variant="secondary" isLoading={isSaving} onClick={save}>
      {t("common.export")}
    </Button>
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

interface ChoiceProps {
  label: string
  value: string
  onChange: (value: string) => void
  options: string[][]
}

function Choice({ label, value, onChange, options }: ChoiceProps) {
  const direction = useDirection()
  return (
    <Labelled label={label}>
      {(id) => (
        <Select dir={direction} size="small" value={value} onValueChange={onChange}>
          <Select.Trigger id={id}>
            <Select.Value />
          </Select.Trigger>
          <Select.Content>
            {options.map(([option = "", words]) => (
              <Select.Item key={option} value={option}>
                {words}
              </Select.Item>
            ))}
          </Select.Content>
        </Select>
      )}
    </Labelled>
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
