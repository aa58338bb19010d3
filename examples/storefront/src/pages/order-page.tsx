import type { ReactElement } from "react"
import { CryptoPayButton } from "medusa-payment-crypto/storefront/react"
import { OrderSummary } from "../parts/order-summary"
import { Problem } from "../parts/problem"
import { goTo } from "../router"
import { useShop } from "../shop-context"
import type { Order } from "../store"
import { useLoaded } from "../use-loaded"

/** An order, and the way to pay it when it stands unpaid. */
export function OrderPage({ id }: { id: string }): ReactElement {
  const { store, language, texts } = useShop()
  const [order, { retry }] = useLoaded(() => store.order(id), id)
  if (order.state === "failed") {
    return <Problem retry={retry} />
  }
  if (order.state !== "loaded") {
    return <p className="quiet">{texts.loading}</p>
  }
  const state = stateOf(order.value)
  const collectionId = order.value.payment_collections?.find(({ status }) => status !== "canceled")?.id
  return (
    <section className="card order" data-state={state}>
      <h1>{texts.thanks}</h1>
      <p className="state">{texts[state]}</p>
      {state === "notPaid" && <p>{texts.notPaidLead}</p>}
      {state === "canceled" && <p>{texts.canceledLead}</p>}
      {state === "notPaid" && collectionId !== undefined && (
        <CryptoPayButton
          sdk={store.sdk}
          paymentCollectionId={collectionId}
          language={language}
          onAlreadyPaid={(sessionId) => {
            goTo(`/checkout/return?session_id=${encodeURIComponent(sessionId)}`)
          }}
        />
      )}
      <OrderSummary id={id} />
    </section>
  )
}

function stateOf({ status, payment_status: payment }: Order): "paid" | "canceled" | "notPaid" {
  if (payment === "captured") {
    return "paid"
  }
  return status === "canceled" ? "canceled" : "notPaid"
}
