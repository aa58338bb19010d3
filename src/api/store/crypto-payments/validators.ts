import { z } from "@medusajs/framework/zod"

/** Query of `GET /store/crypto-payments/:session_id`. */
export const StoreGetCryptoPaymentParams = z.object({
  /** Whoever knows the cart's id is its shopper. Send it as the header `x-cart-id`: a query appears in access logs. */
  cart_id: z.string().min(1).max(100).optional(),
})

export type StoreCryptoPaymentParams = z.infer<typeof StoreGetCryptoPaymentParams>
