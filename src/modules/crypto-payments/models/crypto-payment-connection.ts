import { model } from "@medusajs/framework/utils"

/**
 * A provider's connection to an origin it has left: rows created there are read, and notifications about them verified,
 * until no watched row needs it any more.
 */
export const CryptoPaymentConnection = model
  .define("crypto_payment_connection", {
    id: model.id({ prefix: "cpcon" }).primaryKey(),
    provider_id: model.text(),
    origin: model.text(),
    base_url: model.text(),
    /** Authentication and secret keys, sealed together. */
    sealed: model.text(),
  })
  .indexes([{ on: ["provider_id", "origin"], unique: true }])
