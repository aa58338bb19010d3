import { readEndState } from "./end-state"
import { OrderChanges } from "./order-changes"
import { settleDue } from "./settle-due"
import type { PreparedCheckout } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"
import { letMinutesPass } from "./time"

export const HOUR_MS = 60 * 60_000

/** For `describeStore`: orders are placed before they are paid, and may stay unpaid for 30 minutes. */
export const PLACED_FIRST = {
  CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment",
  CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: "30",
}

export interface UnpaidOrder extends PreparedCheckout {
  orderId: string
}

/** A guest's order of 20.01 USD that was placed unpaid. */
export async function placeUnpaidOrder(store: StoreUnderTest): Promise<UnpaidOrder> {
  const shopper = store.shopper()
  const checkout = await shopper.checkout()
  const { data } = await shopper.complete(checkout.cartId)
  if (data.type !== "order") {
    throw new Error(`the cart was not completed: ${JSON.stringify(data)}`)
  }
  // The completion gives the row back after its answer, and wakes the worker.
  await store.untilQuiet()
  return { ...checkout, orderId: data.order.id as string }
}

/** As if everything had happened so many minutes earlier; every row is due. */
export async function ageOrder({ knex }: Pick<StoreUnderTest, "knex">, minutes: number): Promise<void> {
  await letMinutesPass({ knex }, minutes)
  await knex("crypto_payment_request").update({ next_check_at: knex.fn.now() })
}

export async function orderStatus({ knex }: Pick<StoreUnderTest, "knex">, orderId: string): Promise<string> {
  return (await knex("order").where({ id: orderId }).first("status")).status as string
}

/** How many reservations of stock the order has. */
export async function reservations({ knex }: Pick<StoreUnderTest, "knex">, orderId: string): Promise<number> {
  const rows = await knex("reservation_item")
    .whereNull("deleted_at")
    .whereIn("line_item_id", knex("order_item").where({ order_id: orderId }).select("item_id"))
  return rows.length
}

/** As if so many minutes had passed since then, and the schedule had run. */
export async function settleLater(store: StoreUnderTest, minutes: number): Promise<void> {
  await ageOrder(store, minutes)
  await settleDue(store)
}

/** As if every read of the gateway that failed had failed for so long. */
export async function failedFor({ knex }: Pick<StoreUnderTest, "knex">, ms: number): Promise<void> {
  const since = new Date(Date.now() - ms)
  await knex("crypto_payment_request").update({ failing_since: since, unread_since: since })
}

/** The merchant cancels the order. @returns the answer's status, and that of the order after it */
export async function cancelByHand(store: StoreUnderTest, orderId: string): Promise<[number, string]> {
  const { status } = await store.asAdmin.post(`/orders/${orderId}/cancel`)
  return [status, await orderStatus(store, orderId)]
}

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
