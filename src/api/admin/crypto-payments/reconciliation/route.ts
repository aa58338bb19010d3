import { Refused } from "../../../../modules/crypto-payments/errors"
import { reconcileGatewayList } from "../../../../workflows"
import { answer, finishAlone, viewerOf, withGateway, type Asking } from "../respond"
import type { AdminGetReconciliation, AdminReconcileCryptoPayments } from "../validators"

/** A provider's last comparison or an earlier one, whether one is running, and the history of runs. */
export const GET = answer(async (req: Asking<typeof AdminGetReconciliation>, ledger) => {
  const { provider_id, run_id } = req.validatedQuery
  const runs = await ledger.reconciliations.list(provider_id, await viewerOf(req))
  const running_since = runs.find(({ outcome }) => outcome === "running")?.started_at ?? null
  return { ...(await ledger.reconciliations.read(provider_id, run_id)), running_since, runs }
})

/** Compares the gateway's list with the recorded payments, both ways. What becomes due is settled within a minute. */
export const POST = answer(async (req: Asking<typeof AdminReconcileCryptoPayments>) => {
  const { actor_id: id, actor_type } = req.auth_context
  const started_by = { type: actor_type === "api-key" ? ("api_key" as const) : ("user" as const), id }
  const { provider_id } = req.validatedBody
  const compare = async () => await finishAlone(reconcileGatewayList(req.scope, { provider_id, started_by }))
  const report = await withGateway(req.scope, provider_id, compare)
  if (report.gateway_problem !== null) {
    const { problem: code, message } = report.gateway_problem
    throw new Refused(502, { code, message })
  }
  return { report }
})
