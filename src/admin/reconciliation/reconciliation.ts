import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { ListReport, Reconciliation } from "../../http-contract"
import { useAction } from "../shared/queries"
import { get, post } from "../shared/admin-api"

const WATCH_INTERVAL_MS = 3000

/**
 * The last report or that of a run, and the history of runs; while a comparison runs, here or elsewhere, it is
 * requested again.
 */
export function useReconciliation(providerId: string | undefined, runId: string) {
  return useQuery({
    queryKey: ["crypto-reconciliation", providerId, runId],
    queryFn: async () =>
      await get<Reconciliation>("/reconciliation", { provider_id: providerId, run_id: runId }),
    enabled: providerId !== undefined,
    // Whether one runs is known by what is so now.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running_since ? WATCH_INTERVAL_MS : false),
  })
}

export function useRunReconciliation(providerId: string | undefined) {
  const client = useQueryClient()
  return useAction({
    mutationKey: ["crypto-reconciliation", "run", providerId],
    mutationFn: async () =>
      await post<{ report: ListReport }>("/reconciliation", { provider_id: providerId }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["crypto-reconciliation"] })
      void client.invalidateQueries({ queryKey: ["crypto-payments"] })
    },
  })
}
