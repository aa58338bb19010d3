import { clx } from "@medusajs/ui"
import { formatAmount, formatFiat } from "../lib/format-amount"

interface AmountProps {
  value: string | null | undefined
  /** Fiat: two decimals at least. */
  currency?: string | null
  /** Coin: as many decimals as mean something. */
  coin?: string | null
  className?: string
}

/** An exact figure. Always left to right: in Arabic too, `20.01 USD` keeps its order. */
export function Amount({ value, currency, coin, className }: AmountProps) {
  if (value === null || value === undefined) {
    return <span className="text-ui-fg-subtle">–</span>
  }
  const text = currency ? formatFiat(value, currency) : [formatAmount(value), coin ?? ""].join(" ").trim()
  return (
    <bdi dir="ltr" className={clx("whitespace-nowrap tabular-nums", className)}>
      {text}
    </bdi>
  )
}
