import { useDate } from "@medusajs/dashboard/hooks"
import { createDataTableFilterHelper } from "@medusajs/ui"
import { ATTENTION_REASONS } from "../../decision/attention"
import { useHealth } from "../settings/settings"
import { FIAT } from "../shared/figures"
import { providerName } from "../shared/page"
import { t } from "../shared/words"
import { STATE_COLORS } from "./payment-summary"

const DATES = ["created_at", "paid_at", "refunded_at"] as const
const CURRENCIES = ["currency", "received_currency"] as const
const OTHERS = ["state", "status", "coin", "provider_id", "attention"] as const

export const FILTERS = [...OTHERS, ...CURRENCIES, ...DATES] as const

const { accessor } = createDataTableFilterHelper<Record<(typeof FILTERS)[number], string>>()

/** @param coins all coins that payers have paid in */
export function usePaymentFilters(coins: string[] = []) {
  const { getFullDate } = useDate()
  const providers = (useHealth().data?.providers ?? []).map(({ provider_id }) => provider_id)
  const states = Object.keys(STATE_COLORS).map((value) => ({ value, label: t(`state.${value}`) }))
  const statuses = asTheyAre(["PAID", "UNPAID", "PENDING"])
  const ofCoins = [...asTheyAre(coins), { value: "none", label: t("list.filters.noCoin") }]
  const ofProvider = accessor("provider_id", {
    type: "multiselect",
    label: t("list.filters.provider_id"),
    options: providers.map((value) => ({ value, label: providerName(value) })),
  })
  const cases = [
    { value: "open", label: t("list.filters.attentionOpen") },
    { value: "resolved", label: t("list.filters.attentionResolved") },
    { value: "none", label: t("list.filters.attentionNone") },
    ...ATTENTION_REASONS.map((value) => ({ value, label: t(`attention.reasons.${value}.title`) })),
  ]
  const ranges = [
    since(0, t("list.filters.today")),
    since(7, t("list.filters.sevenDays")),
    since(30, t("list.filters.thirtyDays")),
    since(365, t("list.filters.twelveMonths")),
  ]
  return [
    accessor("state", { type: "multiselect", label: t("list.filters.state"), options: states }),
    accessor("status", { type: "multiselect", label: t("list.filters.status"), options: statuses }),
    // The kit's "select" takes several values, and the API takes one.
    accessor("attention", { type: "radio", label: t("list.filters.attention"), options: cases }),
    ...CURRENCIES.map((name) =>
      accessor(name, { type: "select", label: t(`list.filters.${name}`), options: FIAT })
    ),
    accessor("coin", { type: "multiselect", label: t("list.columns.coin"), options: ofCoins }),
    ...(providers.length > 1 ? [ofProvider] : []),
    ...DATES.map((name) =>
      accessor(name, {
        type: "date",
        label: t(`list.filters.${name}`),
        rangeOptionLabel: t("list.filters.custom"),
        rangeOptionStartLabel: t("list.filters.from"),
        rangeOptionEndLabel: t("list.filters.until"),
        formatDateValue: (date) => getFullDate({ date }),
        options: ranges,
      })
    ),
  ]
}

const asTheyAre = (values: string[]) => values.map((value) => ({ value, label: value }))

function since(days: number, label: string) {
  const start = new Date()
  start.setHours(0, 0, 0, 0)
  start.setDate(start.getDate() - days)
  return { label, value: { $gte: start.toISOString() } }
}
