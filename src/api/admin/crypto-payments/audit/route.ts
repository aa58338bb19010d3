import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { isConflict } from "../../../../modules/crypto-payments/errors"
import { auditPaymentsWorkflow } from "../../../../workflows"
import { answerProblem, resolveLedger } from "../respond"
import type { AdminAuditCryptoPaymentsType } from "../validators"

/** The last report over all rules; null before the first. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  res.status(200).json({ audit: await resolveLedger(req).audits.readLast() })
}

/** Runs the audit now. A run over some of the rules is answered and not kept. */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminAuditCryptoPaymentsType>,
  res: MedusaResponse
): Promise<void> {
  const { result, errors } = await auditPaymentsWorkflow(req.scope).run({
    input: req.validatedBody,
    throwOnError: false,
  })
  const failure: unknown = errors[0]?.error
  if (failure === undefined) {
    res.status(200).json({ audit: result })
  } else if (isConflict(failure)) {
    answerProblem(res, 409, {
      code: "already_running",
      message: "The payments are being audited at this moment. Wait until that is done.",
    })
  } else {
    throw failure instanceof Error ? failure : new Error("The audit broke off.")
  }
}
