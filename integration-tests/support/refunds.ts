import type { AxiosResponse } from "axios"
import { removeBookings } from "./bookings"
import type { StoreUnderTest } from "./store-under-test"

/** What a merchant does about refunds, what the order's books show of them, and what a killed process leaves. */
export class Refunds {
  constructor(private readonly store: StoreUnderTest) {}

  async admin(path: string, body: unknown = {}): Promise<AxiosResponse> {
    return await this.store.http.post(`/admin${path}`, body, await this.store.admin())
  }

  async register(id: string, amount: string | number, reference = "0xabc"): Promise<AxiosResponse> {
    return await this.admin(`/crypto-payments/${id}/refunds`, { amount, reference })
  }

  /** What the order has in its books, as the admin shows it. */
  async orderBooks(orderId: string): Promise<unknown> {
    const { data } = await this.store.http.get(
      `/admin/orders/${orderId}?fields=summary.*,credit_lines.amount`,
      await this.store.admin()
    )
    const { summary, credit_lines } = data.order
    return {
      pending: summary.pending_difference,
      refunded: summary.refunded_total,
      credits: credit_lines.map(({ amount }: { amount: number }) => amount),
    }
  }

  /** Core died over it, longer ago than it could still be at it. */
  async cutOffRefund(): Promise<void> {
    await this.store.knex("crypto_payment_refund").update({ state: "registered" })
    await this.store
      .knex("refund")
      .update({ created_at: this.store.knex.raw("now() - interval '2 minutes'") })
  }

  /** The state a process leaves that dies while core books a refund. */
  async cutOffBooking(orderId: string, isTransactionLost: boolean): Promise<void> {
    await this.cutOffRefund()
    await this.store.knex("order_credit_line").where({ order_id: orderId }).delete()
    const [{ version }] = await this.store.knex("order").where({ id: orderId }).select("version")
    await this.store.knex("order_change").where({ order_id: orderId, change_type: "credit_line" }).delete()
    await this.store.knex("order_summary").where({ order_id: orderId, version }).delete()
    await this.store.knex("order_item").where({ order_id: orderId, version }).delete()
    await this.store.knex("order_shipping").where({ order_id: orderId, version }).delete()
    await this.store
      .knex("order")
      .where({ id: orderId })
      .update({ version: version - 1 })
    if (isTransactionLost) {
      await removeBookings(this.store.knex, { order_id: orderId, reference: "refund" })
    }
  }
}
