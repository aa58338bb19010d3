import { model } from "@medusajs/framework/utils"

/** One comparison of the gateway's list with the payment requests. The newest of each provider are kept. */
export const CryptoPaymentReconciliation = model
  .define("crypto_payment_reconciliation", {
    id: model.id({ prefix: "cprec" }).primaryKey(),
    provider_id: model.text(),
    started_at: model.dateTime(),
    /** Null while it runs. Remains null when its process died. */
    finished_at: model.dateTime().nullable(),
    /** Null like `finished_at`. `failed`: nothing was compared. */
    outcome: model.enum(["complete", "incomplete", "failed"]).nullable(),
    /** Of `failed`: why the gateway could not be read; null when the fault was the store's own. */
    problem: model.text().nullable(),
    started_by_type: model.enum(["user", "api_key", "schedule", "script"]),
    started_by_id: model.text().nullable(),
    report: model.json().nullable(),
  })
  .indexes([{ on: ["provider_id", "started_at"] }])
