import { readEndState } from "./end-state"
import { OrderChanges } from "./order-changes"
import type { StoreUnderTest } from "./store-under-test"
import { orderStatus, reservations, type UnpaidOrder } from "./unpaid-order"

/** What begins the time of an unpaid order again, and what is left when it is over. */
export class UnpaidOrderTime extends OrderChanges {
  constructor(protected override readonly store: StoreUnderTest) {
    super(store)
  }

  /** A visitor opens the payment step on the placed order's collection: all it takes is the collection's id. */
  async openAgain({ collectionId }: UnpaidOrder): Promise<void> {
    expect((await this.store.shopper().openSession(collectionId)).status).toBe(200)
  }

  async expectCanceled({ orderId, cartId }: UnpaidOrder): Promise<void> {
    await this.expectNothingReserved({ orderId })
    expect((await readEndState(this.store.knex, cartId)).ledger).toEqual([
      { state: "superseded", settled: false, attention: null },
    ])
  }

  /** Whatever links it had meanwhile. */
  async expectNothingReserved({ orderId }: Pick<UnpaidOrder, "orderId">): Promise<void> {
    expect([await orderStatus(this.store, orderId), await reservations(this.store, orderId)]).toEqual([
      "canceled",
      0,
    ])
  }
}
