import { model } from "@medusajs/framework/utils"

/** The last run of the audit over all rules. */
export const CryptoPaymentAudit = model.define("crypto_payment_audit", {
  id: model.id({ prefix: "cpaud" }).primaryKey(),
  ran_at: model.dateTime(),
  report: model.json(),
})
