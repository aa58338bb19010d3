import { useWords } from "./words"
import type { CryptoPayment } from "../../http-contract"
import { TextLink } from "./text-link"

type OrderOfPayment = Pick<CryptoPayment, "order_id" | "order_display_id" | "cart_id">

/** The order it paid for; before there is one, the cart. */
export function OrderLink({ payment }: { payment: OrderOfPayment }) {
  const t = useWords()
  const { order_id: orderId, order_display_id: number } = payment
  if (orderId !== null) {
    return (
      <TextLink
        to={`/orders/${orderId}`}
        // A row of a table opens its payment.
        onClick={(event) => event.stopPropagation()}
      >
        {number === null ? orderId : `#${String(number)}`}
      </TextLink>
    )
  }
  return <span title={payment.cart_id ?? undefined}>{payment.cart_id === null ? "–" : t("list.cart")}</span>
}
