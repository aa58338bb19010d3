import { givePayPage } from "../../../../../../workflows/give-pay-page"
import { answer, type Asking } from "../../../respond"
import type { AdminGiveCryptoPayPage } from "../../../validators"

/** The lasting address at which what an order owes can be paid. It does not expire; a reset ends it. */
export const POST = answer(async (req: Asking<typeof AdminGiveCryptoPayPage>) => {
  const { provider_id, reset } = req.validatedBody
  const wanted = { orderId: req.params["order_id"] ?? "", providerId: provider_id, reset }
  const { url } = await givePayPage(req.scope, wanted)
  return { url, expires_at: null }
})
