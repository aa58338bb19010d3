import { model } from "@medusajs/framework/utils"

/** One run of the audit over all rules. The newest are kept. */
export const CryptoPaymentAudit = model
  .define("crypto_payment_audit", {
    id: model.id({ prefix: "cpaud" }).primaryKey(),
    ran_at: model.dateTime(),
    /** Versions of this plugin and of Medusa that it ran with: others make the next one due. */
    versions: model.text(),
    /** The whole `AuditReport`. */
    report: model.json(),
    /** The event about its findings is not known to be sent. */
    is_event_due: model.boolean().default(false),
  })
  .indexes([{ on: ["ran_at"] }])
