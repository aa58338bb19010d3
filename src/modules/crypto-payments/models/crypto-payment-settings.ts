import { model } from "@medusajs/framework/utils"

/**
 * What a merchant saved in the admin for one provider; medusa-config wins over it, field by field. Read and written
 * through `SettingsStore` only.
 */
export const CryptoPaymentSettings = model
  .define("crypto_payment_settings", {
    id: model.id({ prefix: "cpset" }).primaryKey(),
    provider_id: model.text(),
    /** Grows with every save; a save of an older one is refused. */
    version: model.number(),
    /** Everything that is no secret. */
    plain: model.json(),
    /** Sealed texts by field. */
    secrets: model.json(),
    /** The gateway address in force at the last save: secrets given for it go to no other origin. */
    bound_base_url: model.text().nullable(),
  })
  .indexes([{ on: ["provider_id"], unique: true }])
