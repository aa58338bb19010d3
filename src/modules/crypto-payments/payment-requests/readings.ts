import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { PaymentRequest } from "../../../gateway"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { addActivity } from "./timeline"

const TABLE = "crypto_payment_request"

export type Failure = "refused" | "unreadable"

/** What the gateway said of a request when it was read, and that it could not be read. */
export class ReadingLedger {
  constructor(private readonly knex: Knex) {}

  /** Writes down what the gateway said. PAID is recorded once and nothing said later changes it. */
  async recordReading(id: string, read: PaymentRequest): Promise<CryptoPaymentRequestRow> {
    // Of a reading that is not PAID one statement is written, which needs no transaction: most of a tick are such.
    return read.paymentStatus === "PAID"
      ? await this.knex.transaction(async (trx) => await writeReading(trx, id, read))
      : await writeReading(this.knex, id, read)
  }

  /** Writes down that the gateway could not be read; `failing_since` is kept while it fails the same way. */
  async recordFailure(id: string, failure: Failure): Promise<CryptoPaymentRequestRow> {
    const { rows } = await this.knex.raw<{ rows: CryptoPaymentRequestRow[] }>(
      `UPDATE ${TABLE}
          SET failing_since = COALESCE(failing_since, now()), failure = ?, last_checked_at = now(), updated_at = now()
        WHERE id = ? RETURNING *`,
      [failure, id]
    )
    return rows[0] as CryptoPaymentRequestRow
  }
}

async function writeReading(knex: Knex, id: string, read: PaymentRequest): Promise<CryptoPaymentRequestRow> {
  const [row] = await knex<CryptoPaymentRequestRow>(TABLE)
    .where({ id })
    .whereNull("paid_at")
    .update({
      gateway_status: read.paymentStatusReceived,
      gateway_amount: read.amount,
      gateway_currency_symbol: read.currencySymbol,
      payment_currency: read.paymentCurrency,
      payment_amount: read.paymentAmount,
      receiving_amount: read.receivingAmount,
      fee_amount: read.paymentFeeAmount,
      fee_paid_by: read.feePaidBy,
      ref_id: read.refId,
      failure: null,
      failing_since: null,
      last_checked_at: new Date(),
      updated_at: new Date(),
      ...(read.paymentStatus === "PAID"
        ? // Due soon, so that whoever learnt of the money and then died is followed by the next tick; what is due, stays so.
          {
            state: "paid" as const,
            paid_at: new Date(),
            next_check_at: knex.raw("LEAST(next_check_at, now() + interval '1 minute')") as unknown as Date,
          }
        : {}),
    })
    .returning("*")
  if (row !== undefined && read.paymentStatus === "PAID") {
    await addActivity(knex, id, "paid", { amount: read.amount, currency_symbol: read.currencySymbol })
  }
  return (row ?? (await knex(TABLE).where({ id }).first())) as CryptoPaymentRequestRow
}
