import { useDate } from "@medusajs/dashboard/hooks"
import { Tooltip } from "@medusajs/ui"
import { useRelativeTime } from "./relative-time"
import { useWords } from "./words"

/**
 * A point in time as core shows it: how long ago, and exactly on hover; `exact` the other way round. `none` is said
 * where there is no time.
 */
export function Moment({
  at,
  exact = false,
  none = "common.never",
}: {
  at: string | null
  exact?: boolean
  none?: string
}) {
  const { getFullDate } = useDate()
  const relativeTo = useRelativeTime()
  const t = useWords()
  if (at === null) {
    return <span>{t(none)}</span>
  }
  const full = getFullDate({ date: at, includeTime: true })
  const relative = relativeTo(at)
  return (
    <Tooltip content={exact ? relative : full}>
      <time dateTime={at} className="whitespace-nowrap">
        {exact ? full : relative}
      </time>
    </Tooltip>
  )
}
