import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { BeforeJson, CryptoPaymentDetail } from "../../../../http-contract"
import { resolveLedger } from "../../../../modules/crypto-payments"
import { unknownRequestError } from "../../../../modules/crypto-payments/errors"
import { showRow, toGatewayRecord, withoutIds } from "../respond"
import type { AdminGetCryptoPaymentType } from "../validators"
import { viewerOf } from "../viewer"

type Detail = BeforeJson<CryptoPaymentDetail>

/** One row with its timeline and refunds, its order and cart, and the gateway's record as it is now. */
export async function GET(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse<BeforeJson<{ crypto_payment: CryptoPaymentDetail }>>
): Promise<void> {
  const id = req.params["id"] ?? ""
  const ledger = resolveLedger(req.scope)
  const viewer = await viewerOf(req)
  const detail = await ledger.search.findDetail(id, viewer)
  if (detail === undefined) {
    throw unknownRequestError(id)
  }
  const { live } = req.validatedQuery as AdminGetCryptoPaymentType
  const { record, problem } =
    live === "true" ? await ledger.gateways.readRecord(id) : { record: null, problem: null }
  res.status(200).json({
    crypto_payment: {
      ...showRow(detail, viewer),
      ...(viewer.orders ? {} : hideOrder(detail)),
      gateway_record: record && toGatewayRecord(record),
      gateway_problem: problem,
    },
  })
}

/** The parts of the detail that hold ids of the order or the cart. @see showRow */
function hideOrder({ order, activities }: Pick<Detail, "order" | "activities">): Partial<Detail> {
  return {
    cart: null,
    order: order && { ...order, id: null },
    activities: activities.map((entry) => ({ ...entry, detail: withoutIds(entry.detail) })),
  }
}
