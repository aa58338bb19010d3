import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * The pay page of an order, one row each. Its address holds a token, which is made of the row, of the order's id and of
 * a key that is not in the database: `pay-pages/pay-pages.ts`. Only `PayPages` uses it.
 */
export const CryptoPaymentPage = model
  .define("crypto_payment_page", {
    id: model.id({ prefix: "cppage" }).primaryKey(),
    order_id: model.text(),
    /** `pp_crypto_<id>`: which provider makes the links. The merchant may choose another one later. */
    provider_id: model.text(),
    /** 256 random bits in hexadecimal. A reset replaces it, which ends the former address. */
    nonce: model.text(),
    /** SHA-256 of each token that opens the page. More than one only after the key has changed. */
    token_digests: model.array(),
  })
  .indexes([
    { on: ["order_id"], unique: true },
    { on: ["token_digests"], type: "GIN" },
  ])

export type CryptoPaymentPageRow = Omit<InferTypeOf<typeof CryptoPaymentPage>, "token_digests"> & {
  token_digests: string[]
}
