import { makeDraftOfCart } from "../../../../../workflows/draft-of-cart"
import { answer, showCryptoPayment } from "../../respond"

/**
 * Makes a draft order of what the payment's cart has, once, and uses the payment for it. 400 with a code when it
 * cannot.
 */
export const POST = answer(async (req) => {
  const id = req.params["id"] ?? ""
  const order_id = await makeDraftOfCart(req.scope, { id, by: req.auth_context.actor_id })
  return { crypto_payment: await showCryptoPayment(req), order_id }
})
