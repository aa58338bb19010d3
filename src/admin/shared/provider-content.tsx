import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { ChosenProvider } from "./provider"
import { useWords } from "./words"
import { apiMessage } from "./api-message"
import { EmptyNotice } from "./empty-notice"
import { LoadError } from "./load-error"
import { LoadingRows } from "./loading-rows"

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
