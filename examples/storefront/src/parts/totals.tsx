import type { ReactElement } from "react"
import { useShop } from "../shop-context"
import type { Cart, Order } from "../store"
import { money } from "../texts"

/** What a cart or an order comes to. */
export function Totals({ of }: { of: Cart | Order }): ReactElement {
  const { texts } = useShop()
  const lines = [
    [texts.subtotal, of.item_total],
    [texts.shipping, of.shipping_total],
    [texts.total, of.total],
  ] as const
  return (
    <dl className="totals">
      {lines.map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{money(amount, of.currency_code, texts)}</dd>
        </div>
      ))}
    </dl>
  )
}
