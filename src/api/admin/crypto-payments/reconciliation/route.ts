import { Refused } from "../../../../modules/crypto-payments/errors"
import { reconcileGatewayList } from "../../../../workflows"
import { answer, withGateway, type Asking } from "../respond"
import type { AdminReconcileCryptoPayments } from "../validators"

/** A provider's last comparison, whether one is running, and whether the newest one has compared nothing. */
export const GET = answer(
  async (req: Asking<typeof AdminReconcileCryptoPayments>, ledger) =>
    await ledger.reconciliations.read(req.validatedQuery.provider_id)
)

/** Compares the gateway's list with the recorded payments, both ways. What becomes due is settled within a minute. */
export const POST = answer(async (req: Asking<typeof AdminReconcileCryptoPayments>) => {
  const { provider_id } = req.validatedBody
  const compare = async () => await reconcileGatewayList(req.scope, { provider_id })
  const report = await withGateway(req.scope, provider_id, compare)
  if (report.gateway_problem !== null) {
    const { problem: code, message } = report.gateway_problem
    throw new Refused(502, { code, message })
  }
  return { report }
})
