import { z } from "@medusajs/framework/zod"
import { inputText } from "../../../modules/crypto-payments/input-text"

/** Query of `GET /store/crypto-payments/:session_id`. */
export const StoreGetCryptoPaymentParams = z.object({
  /** Proves that the client is the cart's shopper. Prefer the header `x-cart-id`: a query appears in access logs. */
  cart_id: inputText.min(1).max(100).optional(),
})

export type StoreCryptoPaymentParams = z.infer<typeof StoreGetCryptoPaymentParams>
