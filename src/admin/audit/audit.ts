import { useQuery, useQueryClient } from "@tanstack/react-query"
import { get, post } from "../shared/admin-api"
import type { AuditReport } from "../../http-contract"
import { useAction } from "../shared/queries"

const AUDIT = ["crypto-audit"]

interface Audit {
  audit: AuditReport | null
}

/** The last report over all rules; null before the first. */
export function useAudit() {
  return useQuery({
    queryKey: AUDIT,
    queryFn: async () => (await get<Audit>("/audit")).audit,
    // It may have run at night since this page was last open.
    staleTime: 0,
  })
}

export function useRunAudit() {
  const client = useQueryClient()
  return useAction({
    mutationKey: [...AUDIT, "run"],
    mutationFn: async () => (await post<{ audit: AuditReport }>("/audit", {})).audit,
    onSuccess: (audit) => client.setQueryData(AUDIT, audit),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: AUDIT })
      void client.invalidateQueries({ queryKey: ["crypto-payment-health"] })
    },
  })
}
