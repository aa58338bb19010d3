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
    /** Everything that is no secret, in the shape of medusa-config's options. */
    options: model.json(),
    /** Sealed texts by field, newest first. */
    secrets: model.json(),
    /** The gateway address in force at the last save: secrets given for it go to no other origin. */
    bound_base_url: model.text().nullable(),
    /** What the merchant has said of former origins: `same_account` or `another_account`, by origin. */
    former_origins: model.json(),
    /** The name of the gateway account of new rows, once it is not the first one any more. */
    gateway_account: model.text().nullable(),
  })
  .indexes([{ on: ["provider_id"], unique: true }])
