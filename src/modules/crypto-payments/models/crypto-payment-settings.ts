import { model } from "@medusajs/framework/utils"

/** What a merchant saved for one provider; medusa-config takes precedence. Only `SettingsStore` uses it. */
export const CryptoPaymentSettings = model
  .define("crypto_payment_settings", {
    id: model.id({ prefix: "cpset" }).primaryKey(),
    provider_id: model.text(),
    /** Grows with every save. A save that is based on an older version is refused. */
    version: model.number(),
    /** Everything that is not secret, in the shape of medusa-config's options. */
    options: model.json(),
    /** Encrypted texts by field, newest first. */
    secrets: model.json(),
    /** The gateway address at the last save: secrets given for it are sent to no other origin. */
    bound_base_url: model.text().nullable(),
  })
  .indexes([{ on: ["provider_id"], unique: true }])
