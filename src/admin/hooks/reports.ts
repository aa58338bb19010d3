import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { get, post, type Query } from "../lib/admin-api"
import { JUST_NOW } from "../lib/just-now"
import type { Balance, ListReport, Settlements } from "../lib/contract"
import { useAction } from "./action"

/** Live at the gateway. */
export function useBalances(providerId: string | undefined) {
  return useQuery({
    queryKey: ["crypto-balances", providerId],
    queryFn: async () =>
      (await get<{ balances: Balance[] }>("/balances", { provider_id: providerId })).balances,
    enabled: providerId !== undefined,
    ...JUST_NOW,
    retry: false,
  })
}

export function useSettlements(query: Query) {
  return useQuery({
    queryKey: ["crypto-settlements", query],
    queryFn: async () => await get<Settlements>("/settlements", query),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

interface Reconciliation {
  report: ListReport | null
  running_since: string | null
}

const WATCH_INTERVAL_MS = 3000

/** The last report; while a comparison runs, here or elsewhere, it is asked for again. */
export function useReconciliation(providerId: string | undefined) {
  return useQuery({
    queryKey: ["crypto-reconciliation", providerId],
    queryFn: async () => await get<Reconciliation>("/reconciliation", { provider_id: providerId }),
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
