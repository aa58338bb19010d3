import type { ILockingModule } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { PAID_OK, readEndState } from "../../support/end-state"
import { endOf, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { setStock } from "../../support/stock"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

/** Core's engine gives up saving a step when the save of a parallel one takes longer than about half a second. */
const SLOW_SAVES = `
  CREATE FUNCTION slow_save() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(0.9); RETURN NEW; END
  $$;
  CREATE TRIGGER slow_save BEFORE INSERT OR UPDATE ON workflow_execution
    FOR EACH ROW WHEN (NEW.workflow_id = 'complete-cart') EXECUTE FUNCTION slow_save();`

/**
 * The stock is gone, so one of core's parallel steps fails; the database is slow, so core's in-memory workflow engine
 * gives the whole workflow up instead of taking it back. The order stays, linked to its cart and without a reservation,
 * and the cart stays locked for two minutes.
 */
describeStore("core leaves a failed completion unfinished", (store) => {
  const leaveUnfinished = async (): Promise<string> => {
    const { cartId, session } = await store.shopper().checkout()
    await setStock(store, 0)
    await store.knex.raw(SLOW_SAVES)
    await payAndNotify(store, session.data.payment_request_id)
    await waitUntil(
      async () => await store.knex("order_cart").where({ cart_id: cartId, deleted_at: null }),
      ({ length }) => length === 1
    )
    await waitUntil(
      async () => await store.knex("workflow_execution").where({ workflow_id: "complete-cart" }),
      (runs) => runs.some(({ state }) => state === "waiting_to_compensate")
    )
    return cartId
  }
  /** What two minutes do: the cart's lock ends, and the payment is due again. */
  const whenLockHasEnded = async (cartId: string): Promise<void> => {
    await store.knex.raw("DROP FUNCTION slow_save() CASCADE")
    await store.container.resolve<ILockingModule>(Modules.LOCKING).release(cartId)
    for (const table of ["order", "capture"]) {
      await store.knex(table).update({ created_at: store.knex.raw("now() - interval '3 minutes'") })
    }
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    await endOf(store, cartId)
  }
  const listReserved = async (): Promise<unknown[]> =>
    await store.knex("reservation_item").whereNull("deleted_at").pluck("quantity")

  // Core's engine never ends these workflows, and the test runner waits until none is under way.
  afterEach(async () => {
    await store
      .knex("workflow_execution")
      .where({ state: "waiting_to_compensate" })
      .update({ state: "failed" })
  })

  it("becomes the paid order that core began, with its items not allocated", async () => {
    const cartId = await leaveUnfinished()
    await whenLockHasEnded(cartId)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    expect(await listReserved()).toEqual([])
  })
})
