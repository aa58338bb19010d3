import { Link } from "react-router-dom"
import { useWords } from "../hooks/words"
import type { CryptoPayment } from "../lib/contract"

/** The order it paid for; before there is one, the cart. */
export function OrderLink({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const { order_id: orderId, order_display_id: number } = payment
  if (orderId !== null) {
    return (
      <Link
        to={`/orders/${orderId}`}
        className="text-ui-fg-interactive hover:text-ui-fg-interactive-hover"
        // A row of a table opens its payment.
        onClick={(event) => event.stopPropagation()}
      >
        {number === null ? orderId : `#${String(number)}`}
      </Link>
    )
  }
  return <span title={payment.cart_id ?? undefined}>{payment.cart_id === null ? "–" : t("list.cart")}</span>
}
