import type { ReactElement } from "react"
import { useShop } from "../shop-context"
import type { Cart, Order } from "../store"
import { money } from "../texts"

/** What a cart or an order comes to. */
export function Totals({ of }: { of: Cart | Order }): ReactElement {
  const { texts } = useShop()
  // Before there is an address nobody knows what delivery costs, and a total would only rise later.
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
