import type { HttpTypes } from "@medusajs/types"
import type { ReactElement } from "react"
import { useShop } from "../shop-context"
import { money } from "../texts"

export interface CartItemsProps {
  items: HttpTypes.StoreCartLineItem[] | HttpTypes.StoreOrderLineItem[]
  currencyCode: string
  /** Without it, nothing can be changed. */
  onQuantity?: (itemId: string, quantity: number) => void
}

/** The items of a cart or an order. */
export function CartItems({ items, currencyCode, onQuantity }: CartItemsProps): ReactElement {
  const { texts } = useShop()
  return (
    <ul className="items">
      {items.map(({ id, variant_title: title, quantity, unit_price: price }) => (
        <li key={id}>
          <div>
            <b>{texts.product}</b>
            <small>{title === "Ground" || title === "Whole beans" ? texts[title] : title}</small>
          </div>
          {onQuantity === undefined ? (
            <span>× {quantity}</span>
          ) : (
            <div className="stepper" role="group" aria-label={texts.quantity}>
              <button
                type="button"
                aria-label={texts.less}
                onClick={() => {
                  onQuantity(id, quantity - 1)
                }}
              >
                −
              </button>
              <output>{quantity}</output>
              <button
                type="button"
                aria-label={texts.more}
                onClick={() => {
                  onQuantity(id, quantity + 1)
                }}
              >
                +
              </button>
            </div>
          )}
          <span className="amount">{money(price * quantity, currencyCode, texts)}</span>
        </li>
      ))}
    </ul>
  )
}
