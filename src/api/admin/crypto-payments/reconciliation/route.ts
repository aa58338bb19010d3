import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { resolveLedger } from "../../../../modules/crypto-payments"
import { reconcileGatewayListWorkflow } from "../../../../workflows"
import { answerProblem, finishOrAnswerRunning, withGateway } from "../respond"
import type { AdminGetReconciliationType, AdminReconcileCryptoPaymentsType } from "../validators"
import { viewerOf } from "../viewer"
import { readReport, nameStarters } from "./runs"

/** A provider's last comparison or an earlier one, whether one is running, and the history of runs. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const asked = req.validatedQuery as AdminGetReconciliationType
  const { reconciliations } = resolveLedger(req.scope)
  const [{ report, runId, runningSince }, runs] = await Promise.all([
    readReport(reconciliations, asked),
    reconciliations.list(asked.provider_id),
  ])
  res.status(200).json({
    report,
    run_id: runId,
    running_since: runningSince,
    runs: await nameStarters(req.scope, runs, await viewerOf(req)),
  })
}

/**
 * Compares the gateway's list with the recorded payments, in both directions; what it makes due is settled within a
 * minute.
 */
export async function POST(
  req: AuthenticatedMedusaRequest<AdminReconcileCryptoPaymentsType>,
  res: MedusaResponse
): Promise<void> {
  const { actor_id: id, actor_type } = req.auth_context
  const type = actor_type === "api-key" ? ("api_key" as const) : ("user" as const)
  const done = await withGateway(
    req,
    res,
    req.validatedBody.provider_id,
    async (_gateway, provider_id) =>
      await finishOrAnswerRunning(
        res,
        reconcileGatewayListWorkflow(req.scope).run({
          input: { provider_id, started_by: { type, id } },
          throwOnError: false,
        }),
        "The gateway's list is being compared at this moment."
      )
  )
  if (done?.result === undefined) {
    return
  }
  const { gateway_problem: problem } = done.result
  if (problem === null) {
    res.status(200).json({ report: done.result })
  } else {
    answerProblem(res, 502, { code: problem.problem, message: problem.message })
  }
}
