import { useProviderIds } from "./settings"
import { useUrlState } from "./url-state"

export interface ChosenProvider {
  /** Undefined until it is known which providers there are. */
  providerId: string | undefined
  providerIds: string[]
  choose: (providerId: string) => void
}

/** The provider a page shows: the one in the address, else the first. */
export function useChosenProvider(): ChosenProvider {
  const providerIds = useProviderIds()
  const [inAddress, choose] = useUrlState("provider_id", "")
  const providerId = providerIds?.find((id) => id === inAddress) ?? providerIds?.[0]
  return { providerId, providerIds: providerIds ?? [], choose }
}
