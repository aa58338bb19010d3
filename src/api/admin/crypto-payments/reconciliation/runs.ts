import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError, ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type {
  ReconciliationRuns,
  Run,
  RunStarter,
} from "../../../../modules/crypto-payments/reconciliation/runs"
import type { Viewer } from "../../../../modules/crypto-payments/reports/customer-sql"
import type { AdminGetReconciliationType } from "../validators"

/** The requested report, or else the last one. @throws MedusaError 404 for a run that is not kept or has no report */
export async function readReport(
  runs: ReconciliationRuns,
  { provider_id, run_id }: AdminGetReconciliationType
): ReturnType<ReconciliationRuns["read"]> {
  const found = await runs.read(provider_id, run_id)
  if (run_id !== undefined && found.report === null) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      "This comparison is not kept any more, or nothing was compared in it."
    )
  }
  return found
}

/** A run as the admin is shown it. */
type NamedRun = Omit<Run, "started_by_type" | "started_by_id"> & {
  started_by: { type: RunStarter["type"]; id: string | null; name: string | null }
}

/**
 * Who started each run, by the name that Medusa has now: names are not stored with a run. A viewer who may not read admin
 * users is told no names of them.
 */
export async function nameStarters(scope: MedusaContainer, runs: Run[], viewer: Viewer): Promise<NamedRun[]> {
  const users = viewer.users ? idsOf(runs, "user") : []
  const names = new Map([
    ...(await namesOf(scope, "user", ["first_name", "last_name", "email"], users)),
    ...(await namesOf(scope, "api_key", ["title"], idsOf(runs, "api_key"))),
  ])
  return runs.map(({ started_by_type: type, started_by_id: id, ...run }) => ({
    ...run,
    started_by: { type, id, name: id === null ? null : (names.get(id) ?? null) },
  }))
}

function idsOf(runs: Run[], type: RunStarter["type"]): string[] {
  return runs.flatMap(({ started_by_type, started_by_id }) =>
    started_by_type === type && started_by_id !== null ? [started_by_id] : []
  )
}

async function namesOf(
  scope: MedusaContainer,
  entity: "user" | "api_key",
  fields: string[],
  ids: string[]
): Promise<[string, string][]> {
  if (ids.length === 0) {
    return []
  }
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity,
    fields: ["id", ...fields],
    filters: { id: [...new Set(ids)] },
  })
  return (data as Record<string, string | null>[]).map(({ id, first_name, last_name, email, title }) => [
    id ?? "",
    title ?? ([first_name, last_name].filter(Boolean).join(" ") || (email ?? "")),
  ])
}
