import type { CryptoPaymentRequestRow } from "../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import { readEndState, type EndState } from "./end-state"
import type { PreparedCheckout } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"
import { waitUntil } from "./wait-until"

export interface PaidOrder extends PreparedCheckout {
  /** The ledger row's id. */
  id: string
  orderId: string
  paymentId: string
}

/** The payer pays, and the gateway tells the store at once. */
export async function payAndNotify(store: StoreUnderTest, paymentRequestId: string, how = {}): Promise<void> {
  await store.gateway.pay(paymentRequestId, how)
  await store.gateway.notify(paymentRequestId)
}

/** Waits until each payment request of the cart is settled or appears in the attention list. */
export async function endOf(store: StoreUnderTest, cartId: string): Promise<EndState> {
  const { state } = await waitUntil(
    async () => ({
      state: await readEndState(store.knex, cartId),
      // A settle opens its case before it ends, and ends by writing when the row is due again.
      settling: await store
        .knex("crypto_payment_request")
        .where({ cart_id: cartId })
        .whereRaw("lease_until > now()")
        .pluck("id"),
    }),
    ({ state: { ledger }, settling }) =>
      ledger.length > 0 &&
      ledger.every(({ settled, attention }) => settled || attention !== null) &&
      settling.length === 0
  )
  return state
}

/** Waits for that end, and for the worker's last look for due rows: it would take one that the test makes due next. */
export async function untilAtRest(store: StoreUnderTest, cartId: string): Promise<void> {
  await endOf(store, cartId)
  await store.untilQuiet()
}

/** The ledger row of a payment session, as it is bound now. */
export async function ledgerRow(store: StoreUnderTest, sessionId: string): Promise<CryptoPaymentRequestRow> {
  const row = await store
    .knex("crypto_payment_request")
    .where({ session_id: sessionId })
    .first<CryptoPaymentRequestRow | undefined>()
  if (row === undefined) {
    throw new Error(`the ledger has no row of ${sessionId}`)
  }
  return row
}

/** An order of 20.01 USD that was paid, captured and placed. */
export async function placePaidOrder(store: StoreUnderTest): Promise<PaidOrder> {
  const checkout = await store.shopper().checkout()
  const { cartId, session } = checkout
  await payAndNotify(store, session.data.payment_request_id)
  await untilAtRest(store, cartId)
  const { id } = await ledgerRow(store, session.id)
  const { order_id } = await store
    .knex("order_cart")
    .where({ cart_id: cartId, deleted_at: null })
    .first("order_id")
  const payment = await store.knex("payment").where({ payment_session_id: session.id }).first("id")
  return { ...checkout, id, orderId: order_id as string, paymentId: payment.id as string }
}

/** A payment on a link that a change of the cart has replaced: it appears in the attention list. */
export async function payOrphan(store: StoreUnderTest): Promise<PreparedCheckout & { id: string }> {
  const shopper = store.shopper()
  const checkout = await shopper.checkout()
  const { cartId, session } = checkout
  await shopper.post(`/carts/${cartId}/line-items`, { variant_id: store.seeded.variantId, quantity: 1 })
  await payAndNotify(store, session.data.payment_request_id)
  await untilAtRest(store, cartId)
  return { ...checkout, id: (await ledgerRow(store, session.id)).id }
}
