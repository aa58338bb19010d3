import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { unknownRequestError } from "../../../../modules/crypto-payments/errors"
import { resolveLedger, toGatewayRecord } from "../respond"
import type { AdminGetCryptoPaymentType } from "../validators"

/** One row with its timeline and refunds, its order and cart, and the gateway's record as it is now. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const id = req.params["id"] ?? ""
  const ledger = resolveLedger(req)
  const detail = await ledger.search.findDetail(id)
  if (detail === undefined) {
    throw unknownRequestError(id)
  }
  const { live } = req.validatedQuery as AdminGetCryptoPaymentType
  const { record, problem } =
    live === "true" ? await ledger.readGatewayRecord(id) : { record: null, problem: null }
  res.status(200).json({
    crypto_payment: {
      ...detail,
      gateway_record: record && toGatewayRecord(record),
      gateway_problem: problem,
    },
  })
}
