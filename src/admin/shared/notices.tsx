import { ExclamationCircle } from "@medusajs/icons"
import { Button, Skeleton, Text } from "@medusajs/ui"
import type { UseQueryResult } from "@tanstack/react-query"
import type { PropsWithChildren, ReactNode } from "react"
import { apiMessage } from "./admin-api"
import { Subtle } from "./layout"
import { useWords } from "./words"

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, "data" | "error" | "refetch">
  /** How many placeholder lines it has while it is loading. */
  lines?: number
  children: (data: T) => ReactNode
}

/** What was read; placeholder lines while it is loading, or why it could not be read. */
export function Loaded<T>({ query: { data, error, refetch }, lines, children }: LoadedProps<T>) {
  if (error !== null) {
    return <LoadError problem={error} onRetry={() => void refetch()} />
  }
  return data === undefined ? <LoadingRows count={lines} /> : children(data)
}

/** Shown if something could not be loaded: the reason, and what to do. */
export function LoadError({ problem, onRetry }: { problem: Error | string; onRetry: () => void }) {
  const t = useWords()
  return (
    <div role="alert" className="flex flex-col items-center gap-y-3 px-6 py-10 text-center">
      <ExclamationCircle className="text-ui-fg-subtle" />
      <div className="flex flex-col gap-y-1">
        <Text size="small" weight="plus">
          {t("common.loadFailed")}
        </Text>
        <Subtle>{typeof problem === "string" ? problem : apiMessage(problem, t)}</Subtle>
      </div>
      <Button size="small" variant="secondary" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  )
}

/** Grey lines in the place of what is being loaded. */
export function LoadingRows({ count = 4 }: { count?: number | undefined }) {
  const t = useWords()
  return (
    <div role="status" aria-label={t("common.loading")} className="flex flex-col gap-y-4 px-6 py-4">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className="h-5 w-full" />
      ))}
    </div>
  )
}

interface EmptyNoticeProps {
  title: string
  /** What to do about it, or what it means. */
  hint: string
  icon?: ReactNode
}

/** Shown in place of an empty list; as its children, where to go next. */
export function EmptyNotice({ title, hint, icon, children }: PropsWithChildren<EmptyNoticeProps>) {
  return (
    <div className="flex flex-col items-center gap-y-2 px-6 py-12 text-center">
      {icon}
      <Text size="small" weight="plus">
        {title}
      </Text>
      <Subtle>{hint}</Subtle>
      {children}
    </div>
  )
}
