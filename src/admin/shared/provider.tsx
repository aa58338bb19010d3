import { Select } from "@medusajs/ui"
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useHealth } from "../settings/settings"
import { useUrlState } from "./url-state"
import { useDirection, useWords } from "./words"
import { apiMessage } from "./admin-api"
import { EmptyNotice, LoadError, LoadingRows } from "./notices"

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

interface ProviderSelectProps {
  providerIds: string[]
  value: string
  onChange: (providerId: string) => void
}

/** Which provider a page is about; nothing to choose while there is one. */
export function ProviderSelect({ providerIds, value, onChange }: ProviderSelectProps) {
  const direction = useDirection()
  const t = useWords()
  if (providerIds.length < 2) {
    return null
  }
  return (
    <Select dir={direction} size="small" value={value} onValueChange={onChange}>
      <Select.Trigger aria-label={t("common.provider")} className="min-w-36">
        <Select.Value />
      </Select.Trigger>
      <Select.Content>
        {providerIds.map((id) => (
          <Select.Item key={id} value={id}>
            {providerName(id)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
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
  if (provider.error !== null) {
    return <LoadError message={apiMessage(provider.error, t)} onRetry={provider.retry} />
  }
  if (provider.hasNone) {
    return <EmptyNotice title={t("settings.noProviders")} hint={t("settings.noProvidersHint")} />
  }
  if (query.isError) {
    return <LoadError message={apiMessage(query.error, t)} onRetry={() => void query.refetch()} />
  }
  return query.data === undefined ? <LoadingRows /> : children(query.data)
}
/** `pp_crypto_default` as a merchant wrote it in medusa-config: `default`. */
export function providerName(providerId: string): string {
  return providerId.replace(/^pp_crypto_/, "")
}
