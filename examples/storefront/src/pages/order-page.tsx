import type { ReactElement } from "react"
import { CryptoPayButton, CryptoPaymentDeadline } from "medusa-payment-crypto/storefront/react"
import { OrderSummary } from "../parts/order-summary"
import { Problem } from "../parts/problem"
import { goToReturn } from "../router"
import { useShop } from "../shop-context"
import type { Order } from "../store"
import type { Texts } from "../texts"
import { useLoaded } from "../use-loaded"

/** An order, and a way to pay it if it is unpaid. */
export function OrderPage({ id }: { id: string }): ReactElement {
  const { store, language, texts } = useShop()
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
  const state = stateOf(order.value)
  const collection = order.value.payment_collections?.find(({ status }) => OPEN.includes(status))
  const lead = LEADS[state]
  return (
    <section className="card order" data-state={state}>
      <h1>{state === "canceled" ? texts.order : texts.thanks}</h1>
      <p className="state">{texts[state]}</p>
      {lead !== undefined && <p>{texts[lead]}</p>}
      {(state === "notPaid" || state === "partlyPaid") && collection !== undefined && (
        <>
          <CryptoPaymentDeadline
            sdk={store.sdk}
            paymentSessions={collection.payment_sessions}
            language={language}
            onOver={retry}
          />
          <CryptoPayButton
            sdk={store.sdk}
            paymentCollectionId={collection.id}
            paymentSessions={collection.payment_sessions}
            language={language}
            onAlreadyPaid={goToReturn}
          />
        </>
      )}
      <OrderSummary id={id} />
    </section>
  )
}

type State = "paid" | "confirming" | "refunded" | "partlyRefunded" | "canceled" | "notPaid" | "partlyPaid"

/** Payment collections in which nothing was paid. An order that was enlarged has one of these for the rest. */
const OPEN = ["not_paid", "awaiting"]

/** A second sentence below the state. */
const LEADS: Partial<Record<State, keyof Texts>> = {
  notPaid: "notPaidLead",
  partlyPaid: "partlyPaidLead",
  confirming: "confirmingLead",
  canceled: "canceledLead",
  refunded: "refundedLead",
  partlyRefunded: "partlyRefundedLead",
}

/** Medusa's statuses for money that is there, is expected or was sent back. With any other status nothing was paid. */
const STATES: Partial<Record<Order["payment_status"], State>> = {
  captured: "paid",
  authorized: "confirming",
  partially_authorized: "confirming",
  partially_captured: "partlyPaid",
  refunded: "refunded",
  partially_refunded: "partlyRefunded",
}

function stateOf({ status, payment_status: payment }: Order): State {
  const state = STATES[payment]
  // For a cancelled order, the payer wants to know first where the money is.
  return status === "canceled" && (state === undefined || state === "confirming")
    ? "canceled"
    : (state ?? "notPaid")
}
