import { model } from "@medusajs/framework/utils"

/** One comparison of the gateway's list with the ledger. The newest of each provider are kept. */
export const CryptoPaymentReconciliation = model
  .define("crypto_payment_reconciliation", {
    id: model.id({ prefix: "cprec" }).primaryKey(),
    provider_id: model.text(),
    started_at: model.dateTime(),
    /** Null while it runs, and for ever when its process died. */
    finished_at: model.dateTime().nullable(),
    /** Null like `finished_at`. `failed`: nothing was compared. */
    outcome: model.enum(["complete", "incomplete", "failed"]).nullable(),
    /** Of `failed`: why the gateway could not be read; null when the fault was the store's own. */
    problem: model.text().nullable(),
    started_by_type: model.enum(["user", "api_key", "schedule", "script"]),
    /** Of a user or an API key: its id. */
    started_by_id: model.text().nullable(),
    /** The `ListReport`; null when nothing was compared. */
    report: model.json().nullable(),
  })
  .indexes([{ on: ["provider_id", "started_at"] }])
