import { model } from "@medusajs/framework/utils"

/** The entry types of the timeline. */
export const ACTIVITY_TYPES = [
  "created",
  "reused",
  "notified",
  "checked",
  "refused",
  "superseded",
  "closed",
  "paid",
  "captured",
  "settled",
  "attention",
  "resolved",
  "refund",
  "applied",
] as const

export type ActivityType = (typeof ACTIVITY_TYPES)[number]

/** The timeline of a payment request. `detail` contains statuses, reasons, ids and amounts, never payer data. */
export const CryptoPaymentActivity = model
  .define("crypto_payment_activity", {
    id: model.id({ prefix: "cpact" }).primaryKey(),
    /** Grows with every entry. Times can be equal and ids are not in order. */
    position: model.autoincrement(),
    request_id: model.text(),
    type: model.enum([...ACTIVITY_TYPES]),
    detail: model.json().nullable(),
  })
  .indexes([{ on: ["request_id", "created_at"] }])
