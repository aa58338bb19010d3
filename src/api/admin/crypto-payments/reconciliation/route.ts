import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { BeforeJson, Reconciliation, ReconciliationRun } from "../../../../http-contract"
import { resolveLedger } from "../../../../modules/crypto-payments"
import { Refused } from "../../../../modules/crypto-payments/errors"
import type { Run } from "../../../../modules/crypto-payments/reconciliation/runs"
import { reconcileGatewayListWorkflow } from "../../../../workflows"
import { answer, finishAlone, viewerOf, withGateway, type Asking } from "../respond"
import type { AdminGetReconciliation, AdminReconcileCryptoPayments } from "../validators"

/** A provider's last comparison or an earlier one, whether one is running, and the history of runs. */
export const GET = answer(
  async (req: Asking<typeof AdminGetReconciliation>): Promise<BeforeJson<Reconciliation>> => {
    const { provider_id, run_id } = req.validatedQuery
    const { reconciliations } = resolveLedger(req.scope)
    const [last, runs, { users }] = await Promise.all([
      reconciliations.read(provider_id, run_id),
      reconciliations.list(provider_id),
      viewerOf(req),
    ])
    return { ...last, runs: await nameStarters(req.scope, runs, users) }
  }
)

/**
 * Compares the gateway's list with the recorded payments, in both directions; what it makes due is settled within a
 * minute.
 */
export const POST = answer(async (req: Asking<typeof AdminReconcileCryptoPayments>) => {
  const { actor_id: id, actor_type } = req.auth_context
  const started_by = { type: actor_type === "api-key" ? ("api_key" as const) : ("user" as const), id }
  const { result: report } = await withGateway(
    req.scope,
    req.validatedBody.provider_id,
    async (_gateway, provider_id) =>
      await finishAlone(
        reconcileGatewayListWorkflow(req.scope).run({
          input: { provider_id, started_by },
          throwOnError: false,
        }),
        "The gateway's list is being compared at this moment."
      )
  )
  if (report.gateway_problem !== null) {
    const { problem: code, message } = report.gateway_problem
    throw new Refused(502, { code, message })
  }
  return { report }
})

/**
 * Who started each run, by the name that Medusa has now: names are not stored with a run. A viewer who may not read admin
 * users is told no names of them.
 */
async function nameStarters(
  scope: MedusaContainer,
  runs: Run[],
  mayReadUsers: boolean
): Promise<BeforeJson<ReconciliationRun>[]> {
  const names = new Map<string, string>()
  for (const [entity, fields] of [
    ...(mayReadUsers ? [["user", ["first_name", "last_name", "email"]] as const] : []),
    ["api_key", ["title"]] as const,
  ]) {
    const ids = runs.flatMap((run) => (run.started_by_type === entity ? (run.started_by_id ?? []) : []))
    if (ids.length > 0) {
      const query = scope.resolve(ContainerRegistrationKeys.QUERY)
      const { data } = await query.graph({ entity, fields: ["id", ...fields], filters: { id: ids } })
      for (const { id, first_name, last_name, email, title } of data as Record<string, string | null>[]) {
        names.set(id ?? "", title ?? ([first_name, last_name].filter(Boolean).join(" ") || (email ?? "")))
      }
    }
  }
  return runs.map(({ started_by_type: type, started_by_id: id, ...run }) => ({
    ...run,
    started_by: { type, id, name: names.get(id ?? "") ?? null },
  }))
}
