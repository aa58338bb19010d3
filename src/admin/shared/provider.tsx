import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useHealth } from "../settings/settings"
import { Choice } from "./form"
import { EmptyNotice, Loaded } from "./notices"
import { useUrlState } from "./url-state"
import { useWords } from "./words"

/** `pp_crypto_default` as a merchant wrote it in medusa-config: `default`. */
export function providerName(providerId: string): string {
  return providerId.replace(/^pp_crypto_/, "")
}

/** The provider a page shows: the one in the address, else the first; undefined until it is known which there are. */
export function useChosenProvider() {
  const health = useHealth()
  const providerIds = (health.data?.providers ?? []).flatMap(({ provider_id, registered }) =>
    registered ? [provider_id] : []
  )
  const [inAddress, choose] = useUrlState("provider_id", "")
  const providerId = providerIds.find((id) => id === inAddress) ?? providerIds[0]
  return { health, providerId, providerIds, choose }
}

export type ChosenProvider = ReturnType<typeof useChosenProvider>

interface ProviderSelectProps {
  providerIds: string[]
  value: string
  onChange: (providerId: string) => void
}

/** Which provider a page is about; nothing to choose while there is one. */
export function ProviderSelect({ providerIds, value, onChange }: ProviderSelectProps) {
  const t = useWords()
  return providerIds.length < 2 ? null : (
    <Choice
      aria-label={t("common.provider")}
      className="min-w-36"
      value={value}
      onChange={onChange}
      options={providerIds.map((id) => ({ value: id, label: providerName(id) }))}
    />
  )
}

interface ProviderContentProps<T> {
  provider: ChosenProvider
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}

/** What a page about one provider shows: what was read of it, or why that is not there. */
export function ProviderContent<T>({ provider, query, children }: ProviderContentProps<T>) {
  const t = useWords()
  return (
    <Loaded query={provider.health}>
      {() =>
        provider.providerId === undefined ? (
          <EmptyNotice title={t("settings.noProviders")} hint={t("settings.noProvidersHint")} />
        ) : (
          <Loaded query={query}>{children}</Loaded>
        )
      }
    </Loaded>
  )
}
