import { removeBookings } from "./bookings"
import { ledgerRow, placePaidOrder, type PaidOrder } from "./paid-checkout"
import type { StoreUnderTest } from "./store-under-test"

const AGO = "now() - interval '3 minutes'"

interface Left {
  /** The links that were written before the process died. */
  links: ("order_cart" | "order_payment_collection")[]
  /** A storefront's completion dies before the payment is authorized; a settle's after the capture. */
  isCaptured: boolean
}

/** What the database holds three minutes after a process died while it completed a paid cart. */
export async function diedWhileCompleting(store: StoreUnderTest, { links, isCaptured }: Left) {
  const paid = await placePaidOrder(store)
  const { cartId, orderId, collectionId } = paid
  const { knex } = store
  for (const table of ["order_cart", "order_payment_collection"] as const) {
    if (!links.includes(table)) {
      await knex(table).where({ order_id: orderId }).delete()
    }
  }
  if (links.includes("order_cart")) {
    await knex("cart").where({ id: cartId }).update({ completed_at: null })
  }
  await removeBookings(knex, { order_id: orderId })
  await knex("order")
    .where({ id: orderId })
    .update({ created_at: knex.raw(AGO) })
  if (isCaptured) {
    await knex("capture").update({ created_at: knex.raw(AGO) })
  } else {
    await takeBackPayment(store, collectionId)
  }
  await knex("crypto_payment_request")
    .where({ cart_id: cartId })
    .update({
      state: "paid",
      captured_at: null,
      settled_at: null,
      order_id: null,
      order_announced_at: null,
      completion_began_at: knex.raw(AGO),
      ...(isCaptured ? {} : { paid_session_id: null }),
      next_check_at: new Date(0),
    })
  return paid
}

async function takeBackPayment({ knex }: StoreUnderTest, collectionId: string): Promise<void> {
  const payments = knex("payment").where({ payment_collection_id: collectionId }).select("id")
  await knex("capture").whereIn("payment_id", payments.clone()).delete()
  await payments.clone().delete()
  await knex("payment_session")
    .where({ payment_collection_id: collectionId })
    .update({ status: "pending", authorized_at: null })
  await knex("payment_collection").where({ id: collectionId }).update({
    status: "not_paid",
    captured_amount: null,
    raw_captured_amount: null,
    authorized_amount: null,
    raw_authorized_amount: null,
    completed_at: null,
  })
}

/** The due rows are settled again, by the clock of a minute later. */
export async function makeDue(store: StoreUnderTest, { session }: PaidOrder): Promise<void> {
  const { id } = await ledgerRow(store, session.id)
  const row = store.knex("crypto_payment_request").where({ id })
  await row.update({ next_check_at: new Date(0) })
}
