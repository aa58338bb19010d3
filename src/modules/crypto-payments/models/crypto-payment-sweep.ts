import { model } from "@medusajs/framework/utils"

/** The progress of a sweep that reads history in pages. One row per such sweep. */
export const CryptoPaymentSweep = model.define("crypto_payment_sweep", {
  /** The sweep's name. */
  id: model.text().primaryKey(),
  /** Where its next page begins: `settled_at` and `id` of the last row it read. Null for the newest. */
  after_settled_at: model.dateTime().nullable(),
  after_id: model.text().nullable(),
})
