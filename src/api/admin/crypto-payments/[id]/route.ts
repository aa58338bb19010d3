import { answer, toGatewayRecord, viewerOf, type Asking } from "../respond"
import type { AdminGetCryptoPayment } from "../validators"

/** One row with a page of its timeline and its refunds, its order and cart, and the gateway's record as it is now. */
export const GET = answer(async (req: Asking<typeof AdminGetCryptoPayment>, ledger) => {
  const id = req.params["id"] ?? ""
  const { live, limit, offset } = req.validatedQuery
  const detail = await ledger.shown.requireDetail(id, await viewerOf(req), { limit, offset })
  const { order_id: orderId } = detail
  const owed = typeof orderId === "string" ? await ledger.orderLinks.readOwed(orderId) : null
  const { record, problem } =
    live === "true" ? await ledger.gateways.readRecord(id) : { record: null, problem: null }
  return {
    crypto_payment: {
      ...detail,
      owed,
      gateway_record: record && toGatewayRecord(record),
      gateway_problem: problem,
    },
  }
})
