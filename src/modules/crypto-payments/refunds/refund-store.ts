import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId, MathBN } from "@medusajs/framework/utils"
import { isOfBeforePayment, isResolvedByAdmin } from "../../../decision"
import { notAllowed, unknownRequestError } from "../errors"
import type { CryptoPaymentRefundRow } from "../models/crypto-payment-refund"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { NO_CASE } from "../payment-requests/attention-case"
import { addActivity, lockRow, transition } from "../payment-requests/life-cycle"
import { dueColumns, gatewayCurrency, IS_REGISTERED, REQUESTS } from "../payment-requests/request-sql"
import { digestReference } from "./reference"

const REFUNDS = "crypto_payment_refund"

const AGE_MS = "(extract(epoch FROM now() - ref.created_at) * 1000)::float8"

/**
 * When a registration that was not booked is tried again: a minute after the last try, then after as long as it has
 * waited so far, at least hourly. While its order is edited, for example, it cannot be booked.
 */
const IS_TO_BE_TRIED = `updated_at < now() - LEAST(GREATEST(updated_at - created_at, interval '1 minute'), interval '1 hour')`

/** Amount in major units with two decimals. */
export type RefundRegistration = Pick<
  CryptoPaymentRefundRow,
  "request_id" | "amount" | "reference" | "note" | "created_by" | "refund_reason_id"
>

/** Refunds made at the gateway and registered here: never more than was paid, each applied once. */
export class RefundStore {
  constructor(private readonly knex: Knex) {}

  /**
   * Stores a refund before anything is done about it. The same reference, in any spelling, and amount returns the
   * existing row, so that an interrupted registration can be finished.
   *
   * @throws MedusaError 400 when nothing was paid, the refund is more than is left, or the reference was used
   */
  async register(input: RefundRegistration): Promise<CryptoPaymentRefundRow> {
    return await this.knex.transaction(async (trx) => {
      const request = await lockRow(trx, { id: input.request_id })
      if (request === undefined) {
        throw unknownRequestError(input.request_id)
      }
      if (request.paid_at === null || request.gateway_amount === null) {
        throw notAllowed(
          "The gateway has not said PAID, so there is nothing to refund. If the payer has paid, check the payment now, and register the refund then.",
          "nothing_paid"
        )
      }
      const refunds = await this.list(input.request_id, trx)
      const reference_digest = digestReference(input.reference)
      const known = refunds.find((refund) => refund.reference_digest === reference_digest)
      if (known !== undefined) {
        if (MathBN.eq(known.amount, input.amount)) {
          return known
        }
        throw notAllowed(
          `The reference is registered with ${known.amount} already. Give each refund its own reference.`,
          "reference_used"
        )
      }
      if (!isLeftToMerchant(request) && (await isBeingCaptured(request, trx))) {
        throw notAllowed(
          "This payment is being captured at this moment. Check it now, and register the refund then.",
          "being_settled"
        )
      }
      await trx(REQUESTS)
        .where({ id: request.id })
        .update({
          refund_registered_at: request.refund_registered_at ?? trx.fn.now(),
          // What can be done about a case may have changed.
          ...(request.settled_at === null ? dueColumns(trx) : {}),
        })
      const refunded = refunds.map(({ amount }) => amount)
      const left = MathBN.sub(MathBN.convert(request.gateway_amount, 2), ...refunded)
      if (MathBN.gt(input.amount, left)) {
        throw notAllowed(
          `Only ${left.toFixed(2)} ${gatewayCurrency(request).toUpperCase()} is left to refund.`,
          "refund_too_large"
        )
      }
      const [row] = (await trx<CryptoPaymentRefundRow>(REFUNDS)
        .insert({ id: generateEntityId(undefined, "cpref"), state: "registered", reference_digest, ...input })
        .returning("*")) as [CryptoPaymentRefundRow]
      await addActivity(trx, input.request_id, "refund", { amount: input.amount, reference: input.reference })
      return row
    })
  }

  async list(requestId: string, knex = this.knex): Promise<CryptoPaymentRefundRow[]> {
    return await knex<CryptoPaymentRefundRow>(REFUNDS)
      .where({ request_id: requestId })
      .whereNull("deleted_at")
      .orderBy("created_at")
  }

  /** Registrations that a dead process left unbooked, oldest first; each again after at most an hour. */
  async takeInterrupted(limit: number): Promise<RefundRegistration[]> {
    const { rows } = await this.knex.raw<{ rows: RefundRegistration[] }>(
      `UPDATE ${REFUNDS} SET updated_at = now()
        WHERE id IN (SELECT id FROM ${REFUNDS}
                      WHERE state = 'registered' AND deleted_at IS NULL AND ${IS_TO_BE_TRIED}
                      ORDER BY updated_at LIMIT ? FOR UPDATE SKIP LOCKED)
        RETURNING request_id, amount, reference, note, created_by, refund_reason_id`,
      [limit]
    )
    return rows
  }

  async find({ id }: CryptoPaymentRefundRow): Promise<CryptoPaymentRefundRow> {
    const row = await this.knex<CryptoPaymentRefundRow>(REFUNDS).where({ id }).first()
    return row as CryptoPaymentRefundRow
  }

  /**
   * Accepts one refund of Medusa's, if a registration of exactly this amount waits. Otherwise `refundPayment` refuses.
   *
   * @param medusaRefundId core's refund row, which core deletes again when it is refused
   */
  async admit(requestId: string, amount: string, medusaRefundId: string): Promise<boolean> {
    const { rows } = await this.knex.raw<{ rows: unknown[] }>(
      `UPDATE ${REFUNDS} SET medusa_refund_id = ?, updated_at = now()
        WHERE id = (SELECT r.id FROM ${REFUNDS} r
                     WHERE r.request_id = ? AND r.amount = ? AND r.state = 'registered' AND r.deleted_at IS NULL
                       AND NOT EXISTS (SELECT 1 FROM refund m WHERE m.id = r.medusa_refund_id AND m.deleted_at IS NULL)
                     ORDER BY r.created_at LIMIT 1 FOR UPDATE)
        RETURNING id`,
      [medusaRefundId, requestId, amount]
    )
    return rows.length === 1
  }

  /** Core's refunds of a payment without a registration: core writes one before it asks the provider. */
  async listUnasked(paymentId: string): Promise<{ id: string; age_ms: number }[]> {
    const { rows } = await this.knex.raw<{ rows: { id: string; age_ms: number }[] }>(
      `SELECT ref.id, ${AGE_MS} AS age_ms FROM refund ref
        WHERE ref.payment_id = ? AND ref.deleted_at IS NULL AND NOT ${IS_REGISTERED}`,
      [paymentId]
    )
    return rows
  }

  /** How old core's refund of a registration is; `null` when it has none. */
  async ageInMedusaMs({ medusa_refund_id }: CryptoPaymentRefundRow): Promise<number | null> {
    const { rows } = await this.knex.raw<{ rows: { age_ms: number }[] }>(
      `SELECT ${AGE_MS} AS age_ms FROM refund ref WHERE ref.id = ? AND ref.deleted_at IS NULL`,
      [medusa_refund_id ?? ""]
    )
    return rows[0]?.age_ms ?? null
  }

  /** Ends a registration. A request whose money is all sent back becomes `refunded`, and its case is closed. */
  async markApplied({ id, request_id }: CryptoPaymentRefundRow): Promise<CryptoPaymentRefundRow> {
    return await this.knex.transaction(async (trx) => {
      const [row] = (await trx<CryptoPaymentRefundRow>(REFUNDS)
        .where({ id })
        .update({ state: "applied", applied_at: trx.fn.now(), updated_at: trx.fn.now() })
        .returning("*")) as [CryptoPaymentRefundRow]
      await transition(trx, "refunded", {
        where: { id: request_id },
        condition: `round(gateway_amount::numeric, 2) <= (
          SELECT SUM(f.amount::numeric) FROM ${REFUNDS} f
           WHERE f.request_id = r.id AND f.state = 'applied' AND f.deleted_at IS NULL)`,
        set: { ...NO_CASE, settled_at: trx.raw("COALESCE(settled_at, now())"), next_check_at: null },
      })
      return row
    })
  }
}

/** No settle captures it: a case says that the money is not needed, or an admin user has closed the case. */
function isLeftToMerchant(row: CryptoPaymentRequestRow): boolean {
  const isTried = [null, "paid_without_order", "settle_fails"].includes(row.attention_reason)
  return isResolvedByAdmin(row) || (!isOfBeforePayment(row) && !isTried)
}

/** A live session has claimed the money and core has not booked the capture yet: the outcome is open. */
async function isBeingCaptured({ paid_session_id }: CryptoPaymentRequestRow, knex: Knex): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM payment_session s
      WHERE s.id = ? AND s.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_session_id = s.id
                                        AND p.captured_at IS NOT NULL AND p.deleted_at IS NULL)`,
    [paid_session_id ?? ""]
  )
  return rows.length > 0
}
