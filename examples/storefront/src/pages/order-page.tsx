import type { ReactElement } from "react"
import { CryptoPayOrder } from "medusa-payment-crypto/storefront/react"
import { OrderSummary } from "../parts/order-summary"
import { goToReturn } from "../router"
import { useShop } from "../shop-context"

/** An order, and a way to pay it if it is unpaid. */
export function OrderPage({ id, collectionId }: { id: string; collectionId?: string }): ReactElement {
  const { store, language, texts } = useShop()
  return (
    <section className="card">
      <h1 className="unseen">{texts.order}</h1>
      <CryptoPayOrder
        sdk={store.sdk}
        orderId={id}
        paymentCollectionId={collectionId}
        language={language}
        onAlreadyPaid={goToReturn}
      >
        <OrderSummary id={id} />
      </CryptoPayOrder>
    </section>
  )
}
