import { model } from "@medusajs/framework/utils"

/** The progress of a sweep that reads history in pages. One row per such sweep. */
export const CryptoPaymentSweep = model.define("crypto_payment_sweep", {
  id: model.text().primaryKey(),
  /** Where its next page begins: the time and the id of the last row it read. Null to begin with the newest. */
  after_at: model.dateTime().nullable(),
  after_id: model.text().nullable(),
})
