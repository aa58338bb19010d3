import { model } from "@medusajs/framework/utils"

/** The comparison of a provider's gateway list with the payment requests, one row each. */
export const CryptoPaymentReconciliation = model.define("crypto_payment_reconciliation", {
  /** The provider's id. */
  id: model.text().primaryKey(),
  /** Of the newest run. A run that another one has replaced writes nothing. */
  run_id: model.text(),
  started_at: model.dateTime(),
  /** Null while it runs. Remains null when its process died. */
  finished_at: model.dateTime().nullable(),
  /** Why the last run that ended compared nothing; null when it compared, or when the fault was the store's own. */
  problem: model.text().nullable(),
  /** When the run that wrote `report` began. Null while no list was ever compared. */
  compared_at: model.dateTime().nullable(),
  /** Of the last run that compared something. */
  report: model.json().nullable(),
})
