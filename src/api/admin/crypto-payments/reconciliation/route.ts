import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { isConflict } from "../../../../modules/crypto-payments/errors"
import { reconcileGatewayListWorkflow } from "../../../../workflows"
import { answerProblem, resolveLedger, withGateway } from "../respond"
import type { AdminReconcileCryptoPaymentsType } from "../validators"

/** The last finished comparison of a provider, and whether one is running. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { provider_id } = req.validatedQuery as AdminReconcileCryptoPaymentsType
  res.status(200).json(await resolveLedger(req).statuses.readReconciliation(provider_id))
}

/** Compares the gateway's list with the ledger, both ways; what it makes due is settled within a minute. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminReconcileCryptoPaymentsType>,
  res: MedusaResponse
): Promise<void> {
  const done = await withGateway(req, res, req.validatedBody.provider_id, async (_gateway, provider_id) => {
    const { result, errors } = await reconcileGatewayListWorkflow(req.scope).run({
      input: { provider_id },
      throwOnError: false,
    })
    const failure: unknown = errors[0]?.error
    if (failure !== undefined && !isConflict(failure)) {
      throw failure instanceof Error ? failure : new Error("The comparison of the gateway's list broke off.")
    }
    return failure === undefined ? result : undefined
  })
  if (done?.result !== undefined) {
    res.status(200).json({ report: done.result })
  } else if (done !== undefined) {
    answerProblem(res, 409, {
      code: "already_running",
      message: "The gateway's list is being compared at this moment. Wait until that is done.",
    })
  }
}
