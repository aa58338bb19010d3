import { usePaymentTotals } from "./payments"
import { useWords } from "../shared/words"
import type { Query } from "../shared/admin-api"
import { formatCount, formatFiat } from "../shared/figures"

/** What all rows of the filter come to, not only those of the page: a line for each currency. */
export function LedgerTotals({ query }: { query: Query }) {
  const t = useWords()
  const { data } = usePaymentTotals(query)
  if (data?.totals === undefined || data.count === 0) {
    return null
  }
  return (
    <dl
      aria-label={t("list.totals.label")}
      className="txt-compact-small text-ui-fg-subtle flex flex-wrap gap-x-8 gap-y-1 px-6 py-3"
    >
      <dt className="txt-compact-small-plus">
        {t("list.totals.count", { count: data.count, number: formatCount(data.count) })}
      </dt>
      {data.totals.map(({ currency_code: currency, amount, received, refunded }) => (
        <dd key={currency} className="tabular-nums">
          {[
            t("list.totals.asked", { amount: formatFiat(amount, currency) }),
            t("list.totals.received", { amount: formatFiat(received, currency) }),
            ...(/[1-9]/.test(refunded)
              ? [t("list.totals.refunded", { amount: formatFiat(refunded, currency) })]
              : []),
          ].join(" · ")}
        </dd>
      ))}
    </dl>
  )
}
