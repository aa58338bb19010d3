import type { ReactElement } from "react"
import { CryptoPaymentReturn } from "medusa-payment-crypto/storefront/react"
import { OrderSummary } from "../parts/order-summary"
import { goTo, Link } from "../router"
import { useShop } from "../shop-context"

/** The page to which the payment page sends the payer back, after a payment or without one. */
export function ReturnPage(): ReactElement {
  const { store, language, texts, setPieces } = useShop()
  return (
    <section className="card">
      <h1 className="unseen">{texts.payment}</h1>
      <CryptoPaymentReturn
        sdk={store.sdk}
        cartId={store.cartId}
        language={language}
        onOrder={(orderId) => {
          // An order that is paid on its own page leaves the cart as it is.
          void store.cart().then((open) => {
            if (open === undefined) {
              store.leaveCart(orderId)
              setPieces(0)
            }
          })
        }}
        onTryAgain={() => {
          // The cart of a placed order is gone.
          goTo(store.cartId === undefined && store.lastOrderId ? `/order/${store.lastOrderId}` : "/checkout")
        }}
      >
        {({ orderId, orderKept }) => (
          <>
            {orderId !== undefined && <OrderSummary id={orderId} isNamed />}
            <OrderLink id={orderId ?? (orderKept === true ? store.lastOrderId : undefined)} />
          </>
        )}
      </CryptoPaymentReturn>
    </section>
  )
}

function OrderLink({ id }: { id: string | undefined }): ReactElement | null {
  const { texts } = useShop()
  return id === undefined ? null : <Link to={`/order/${id}`}>{texts.seeOrder}</Link>
}
