import type { ReactNode } from "react"

/** One fact of a section: its name, and what it is. A pair of a description list. */
export function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="text-ui-fg-subtle grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-4 px-6 py-3">
      <dt className="txt-compact-small-plus">{name}</dt>
      <dd className="txt-compact-small flex min-w-0 flex-wrap items-center gap-1">{children}</dd>
    </div>
  )
}
