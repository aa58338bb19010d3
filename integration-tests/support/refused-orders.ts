import { payAndNotify, untilAtRest } from "./paid-checkout"
import type { StoreUnderTest } from "./store-under-test"

/**
 * Core refuses to complete any cart until the answer is called: no shipping option serves the product's profile.
 *
 * Unlike stock that is gone, this fails before core's parallel steps. When one of those fails on a busy machine, core's
 * in-memory workflow engine may leave the completion unfinished: see unfinished-completion.spec.ts.
 */
export async function refuseOrders(store: Pick<StoreUnderTest, "knex">): Promise<() => Promise<void>> {
  const options = await store.knex("shipping_option").select("id", "shipping_profile_id")
  await store.knex("shipping_option").update({ shipping_profile_id: null })
  return async () => {
    for (const { id, shipping_profile_id } of options) {
      await store.knex("shipping_option").where({ id }).update({ shipping_profile_id })
    }
  }
}

/**
 * A payment that is captured and whose order core could not place. The database refuses the order: when something is out
 * of stock, core's completion sometimes hangs until the cart's lock is over.
 *
 * Orders are possible again afterwards.
 */
export async function payWithoutOrder(store: StoreUnderTest, shopper = store.shopper()) {
  const checkout = await shopper.checkout()
  await store.knex.raw(
    `CREATE FUNCTION refuse_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`
  )
  await store.knex.raw(
    `CREATE TRIGGER refuse_order BEFORE INSERT ON "order" FOR EACH ROW EXECUTE FUNCTION refuse_order()`
  )
  try {
    await payAndNotify(store, checkout.session.data.payment_request_id)
    await untilAtRest(store, checkout.cartId)
  } finally {
    await store.knex.raw("DROP FUNCTION refuse_order CASCADE")
  }
  return checkout
}
