import { useHealth } from "../settings/settings"
import { useUrlState } from "./url-state"

export interface ChosenProvider {
  /** Undefined until it is known which providers there are. */
  providerId: string | undefined
  providerIds: string[]
  /** True once it is known that there is none. */
  hasNone: boolean
  /** Why it is not known which there are. */
  error: Error | null
  retry: () => void
  choose: (providerId: string) => void
}

/** The provider a page shows: the one in the address, else the first. */
export function useChosenProvider(): ChosenProvider {
  const { data, error, refetch } = useHealth()
  const providerIds = data?.providers.flatMap(({ provider_id, registered }) =>
    registered ? [provider_id] : []
  )
  const [inAddress, choose] = useUrlState("provider_id", "")
  const providerId = providerIds?.find((id) => id === inAddress) ?? providerIds?.[0]
  return {
    providerId,
    providerIds: providerIds ?? [],
    hasNone: providerIds?.length === 0,
    error,
    retry: () => void refetch(),
    choose,
  }
}
