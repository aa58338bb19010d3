import { useDate } from "@medusajs/dashboard/hooks"
import { createDataTableFilterHelper } from "@medusajs/ui"
import { useMemo } from "react"
import type { CryptoPayment } from "../../http-contract"
import { ATTENTION_REASONS, REQUEST_STATES } from "../shared/closed-lists"
import { providerName } from "../shared/provider"
import { useProviderIds } from "../settings/settings"
import { useWords, type Words } from "../shared/words"

/** Names of the filters, as in the page's address and in the API's query. */
export const FILTERS = [
  "state",
  "status",
  "attention",
  "currency",
  "received_currency",
  "coin",
  "provider_id",
  "created_at",
  "paid_at",
  "refunded_at",
]

const NONE: string[] = []

const filter = createDataTableFilterHelper<
  CryptoPayment &
    Record<"status" | "attention" | "currency" | "received_currency" | "coin" | "refunded_at", string>
>()

/** @param coins what payers have paid in so far */
export function usePaymentFilters(coins: string[] = NONE) {
  const t = useWords()
  const { getFullDate } = useDate()
  const providers = useProviderIds()
  return useMemo(
    () => [
      filter.accessor("state", {
        type: "multiselect",
        label: t("list.filters.state"),
        options: REQUEST_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
      }),
      filter.accessor("status", {
        type: "multiselect",
        label: t("list.filters.status"),
        options: ["PAID", "UNPAID", "PENDING"].map((value) => ({ value, label: value })),
      }),
      // The kit's "select" takes several values, and the API one.
      filter.accessor("attention", {
        type: "radio",
        label: t("list.filters.attention"),
        options: [
          { value: "open", label: t("list.filters.attentionOpen") },
          { value: "resolved", label: t("list.filters.attentionResolved") },
          { value: "none", label: t("list.filters.attentionNone") },
          ...ATTENTION_REASONS.map((value) => ({ value, label: t(`attention.reasons.${value}.title`) })),
        ],
      }),
      ...(["currency", "received_currency"] as const).map((name) =>
        filter.accessor(name, {
          type: "select",
          label: t(`list.filters.${name}`),
          options: ["aed", "usd"].map((value) => ({ value, label: value.toUpperCase() })),
        })
      ),
      filter.accessor("coin", {
        type: "multiselect",
        label: t("list.columns.coin"),
        options: [
          ...coins.map((value) => ({ value, label: value })),
          { value: "none", label: t("list.filters.noCoin") },
        ],
      }),
      ...(providers !== undefined && providers.length > 1
        ? [
            filter.accessor("provider_id", {
              type: "multiselect",
              label: t("list.filters.provider_id"),
              options: providers.map((value) => ({ value, label: providerName(value) })),
            }),
          ]
        : []),
      ...(["created_at", "paid_at", "refunded_at"] as const).map((name) =>
        filter.accessor(name, {
          type: "date",
          label: t(`list.filters.${name}`),
          rangeOptionLabel: t("list.filters.custom"),
          rangeOptionStartLabel: t("list.filters.from"),
          rangeOptionEndLabel: t("list.filters.until"),
          formatDateValue: (date) => getFullDate({ date }),
          options: dateOptions(t),
        })
      ),
    ],
    // getFullDate is another function at each rendering, and depends on the language alone, as t does.
    [t, providers, coins]
  )
}

function dateOptions(t: Words) {
  return [
    { days: 0, label: t("list.filters.today") },
    { days: 7, label: t("list.filters.sevenDays") },
    { days: 30, label: t("list.filters.thirtyDays") },
    { days: 365, label: t("list.filters.twelveMonths") },
  ].map(({ days, label }) => {
    const start = new Date()
    start.setHours(0, 0, 0, 0)
    start.setDate(start.getDate() - days)
    return { label, value: { $gte: start.toISOString() } }
  })
}
