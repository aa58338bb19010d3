import { model } from "@medusajs/framework/utils"

/** What a merchant saved for one provider; medusa-config takes precedence. Only `SettingsStore` uses it. */
export const CryptoPaymentSettings = model
  .define("crypto_payment_settings", {
    id: model.id({ prefix: "cpset" }).primaryKey(),
    /** `pp_crypto_<id>`: medusa-config registers it, or did so when this was saved. */
    provider_id: model.text(),
    /** Grows with every save. A save that is based on an older version is refused. */
    version: model.number(),
    /** The settings that are no secrets, by their names in the admin API. One that is not given is absent. */
    values: model.json(),
    /**
     * Texts by the secret's name, the newest first, encrypted for the gateway's address at the last save: they open for
     * no other one. A header without a value yet has an empty list.
     */
    secrets: model.json(),
  })
  .indexes([{ on: ["provider_id"], unique: true }])
