import { clx } from "@medusajs/ui"
import { formatAmount, formatCoin, formatFiat } from "./format-amount"

interface AmountProps {
  value: string | null | undefined
  /** Fiat: two decimals at least. */
  currency?: string | null
  /** Coin: as many decimals as mean something. */
  coin?: string | null
  /** A coin's figure to eight decimals, and the exact one on hover. */
  short?: boolean
  className?: string
}

/** An exact figure. Always left to right: in Arabic too, `20.01 USD` keeps its order. */
export function Amount({ value, currency, coin, short = false, className }: AmountProps) {
  if (value === null || value === undefined) {
    return <span className="text-ui-fg-subtle">–</span>
  }
  const inCoin = (figure: string) => [figure, coin ?? ""].join(" ").trim()
  const exact = currency ? formatFiat(value, currency) : inCoin(formatAmount(value))
  const text = short && !currency ? inCoin(formatCoin(value)) : exact
  return (
    <bdi
      dir="ltr"
      className={clx("whitespace-nowrap tabular-nums", className)}
      title={text === exact ? undefined : exact}
    >
      {text}
    </bdi>
  )
}
