import { model } from "@medusajs/framework/utils"

/** One run of the audit over all rules. The newest are kept. */
export const CryptoPaymentAudit = model
  .define("crypto_payment_audit", {
    id: model.id({ prefix: "cpaud" }).primaryKey(),
    ran_at: model.dateTime(),
    /** The versions of the plugin and of Medusa. When they change, the next audit is due. */
    versions: model.text(),
    report: model.json(),
    /** The event about its findings may not have been sent. */
    is_event_due: model.boolean().default(false),
  })
  .indexes([{ on: ["ran_at"] }])
