import type { ReactElement } from "react"
import { useShop } from "../shop-context"
import { useLoaded } from "../use-loaded"
import { CartItems } from "./cart-items"
import { Problem } from "./problem"
import { Totals } from "./totals"

/** Items and total of an order, below its number if the page does not show that already. */
export function OrderSummary({ id, isNamed }: { id: string; isNamed?: boolean }): ReactElement {
  const { store, texts } = useShop()
  const [order, { retry }] = useLoaded(() => store.order(id), id)
  if (order.state === "failed") {
    return <Problem retry={retry} />
  }
  if (order.state !== "loaded") {
    return <p className="quiet">{texts.loading}</p>
  }
  if (order.value === undefined) {
    return <p className="quiet">{texts.noOrder}</p>
  }
  const { display_id: number, items, currency_code: currencyCode } = order.value
  return (
    <div className="summary">
      {isNamed && (
        <h2>
          {texts.order} #{number}
        </h2>
      )}
      <CartItems items={items ?? []} currencyCode={currencyCode} />
      <Totals of={order.value} />
    </div>
  )
}
