import type { AxiosResponse } from "axios"
import { removeBookings } from "./bookings"
import { OrderChanges } from "./order-changes"

/** A reference as it is stored. The digest is of `printf 0xabc | openssl dgst -sha256`. */
export const OXABC = {
  reference: "0xabc",
  reference_digest: "eb4b9e8905923468a20ce3dc86bcdefef67f743a8156f44ca52e548e62e2c8f0",
}

/** What a merchant does about refunds, what the order's books show of them, and what a killed process leaves. */
export class Refunds extends OrderChanges {
  async register(id: string, amount: string | number, reference = "0xabc"): Promise<AxiosResponse> {
    return await this.post(`/crypto-payments/${id}/refunds`, { amount, reference })
  }

  /** What the order has in its books, as the admin shows it. */
  async orderBooks(orderId: string): Promise<unknown> {
    const { summary, credit_lines } = await this.read(orderId, "summary.*,credit_lines.amount")
    return {
      pending: summary.pending_difference,
      refunded: summary.refunded_total,
      credits: credit_lines.map(({ amount }: { amount: number }) => amount),
    }
  }

  /** Core died over it, longer ago than it could still be at it. */
  async cutOffRefund(): Promise<void> {
    const { knex } = this.store
    await knex("crypto_payment_refund").update({ state: "registered" })
    await knex("refund").update({ created_at: knex.raw("now() - interval '2 minutes'") })
  }

  /** The state a process leaves that dies while core books a refund. */
  async cutOffBooking(orderId: string, isTransactionLost: boolean): Promise<void> {
    await this.cutOffRefund()
    const { knex } = this.store
    const order = knex("order").where({ id: orderId })
    const { version } = await order.clone().first("version")
    await knex("order_credit_line").where({ order_id: orderId }).delete()
    await knex("order_change").where({ order_id: orderId, change_type: "credit_line" }).delete()
    for (const table of ["order_summary", "order_item", "order_shipping"]) {
      await knex(table).where({ order_id: orderId, version }).delete()
    }
    await order.update({ version: version - 1 })
    if (isTransactionLost) {
      await removeBookings(knex, { order_id: orderId, reference: "refund" })
    }
  }
}
