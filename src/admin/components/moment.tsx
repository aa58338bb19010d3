import { useDate } from "@medusajs/dashboard/hooks"
import { Tooltip } from "@medusajs/ui"
import { useWords } from "../hooks/words"

/** A point in time as core shows it: how long ago, and exactly on hover; `exact` the other way round. */
export function Moment({ at, exact = false }: { at: string | null; exact?: boolean }) {
  const { getFullDate, getRelativeDate } = useDate()
  const t = useWords()
  if (at === null) {
    return <span>{t("common.never")}</span>
  }
  const full = getFullDate({ date: at, includeTime: true })
  const relative = getRelativeDate(at)
  return (
    <Tooltip content={exact ? relative : full}>
      <time dateTime={at} className="whitespace-nowrap">
        {exact ? full : relative}
      </time>
    </Tooltip>
  )
}
