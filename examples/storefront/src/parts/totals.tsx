import type { ReactElement } from "react"
import { useShop } from "../shop-context"
import type { Cart, Order } from "../store"
import { money } from "../texts"

/** The sums of a cart or an order. */
export function Totals({ of }: { of: Cart | Order }): ReactElement {
  const { texts } = useShop()
  // Without an address, the cost of delivery is unknown, and the total would rise later.
  const isComplete = of.shipping_methods?.length !== 0
  const lines = [
    [texts.subtotal, money(of.item_total, of.currency_code, texts)],
    [texts.shipping, isComplete ? money(of.shipping_total, of.currency_code, texts) : texts.shippingLater],
    ...(isComplete ? [[texts.total, money(of.total, of.currency_code, texts)]] : []),
  ]
  return (
    <dl className="totals">
      {lines.map(([label, amount]) => (
        <div key={label} className={label === texts.total ? "total" : ""}>
          <dt>{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  )
}
