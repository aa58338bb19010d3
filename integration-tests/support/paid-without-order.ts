import { endOf, payAndNotify } from "./paid-checkout"
import type { PreparedCheckout } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"

/**
 * A payment that is captured and whose order core could not place. The database refuses the order: when something is out
 * of stock, core's completion sometimes hangs until the cart's lock is over.
 *
 * Orders are possible again afterwards.
 */
export async function payWithoutOrder(
  store: StoreUnderTest,
  shopper = store.shopper()
): Promise<PreparedCheckout> {
  const checkout = await shopper.checkout()
  await store.knex.raw(
    `CREATE FUNCTION refuse_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`
  )
  await store.knex.raw(
    `CREATE TRIGGER refuse_order BEFORE INSERT ON "order" FOR EACH ROW EXECUTE FUNCTION refuse_order()`
  )
  try {
    await payAndNotify(store, checkout.session.data.payment_request_id)
    await endOf(store, checkout.cartId)
  } finally {
    await store.knex.raw("DROP FUNCTION refuse_order CASCADE")
  }
  return checkout
}
