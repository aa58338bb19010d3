import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * A refund that a merchant made in the gateway's dashboard and registered here. Amount in major units of the received
 * currency, two decimals.
 *
 * - `registered`: not yet in Medusa's books; registering it again finishes the booking
 * - `applied`: booked on Medusa's payment and order, or Medusa has no payment
 */
export const CryptoPaymentRefund = model
  .define("crypto_payment_refund", {
    id: model.id({ prefix: "cpref" }).primaryKey(),
    request_id: model.text(),
    amount: model.text(),
    /** The merchant's proof as typed: a transaction hash, a ticket, the dashboard's text. */
    reference: model.text(),
    /**
     * SHA-256 of the reference in the form that is compared (`refunds/reference.ts`). Each registration has its own.
     */
    reference_digest: model.text(),
    note: model.text().nullable(),
    created_by: model.text().nullable(),
    /** Medusa's refund reason, which the order's page shows. */
    refund_reason_id: model.text().nullable(),
    state: model.enum(["registered", "applied"]).default("registered"),
    /** Medusa's refund row, set when core asks the provider. */
    medusa_refund_id: model.text().nullable(),
    applied_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["request_id", "reference_digest"], unique: true },
    { on: ["medusa_refund_id"], where: "medusa_refund_id IS NOT NULL" },
    {
      name: "IDX_crypto_payment_refund_registered",
      on: ["updated_at"],
      where: "state = 'registered' AND deleted_at IS NULL",
    },
  ])

export type CryptoPaymentRefundRow = InferTypeOf<typeof CryptoPaymentRefund>
