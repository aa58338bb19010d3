import type { PropsWithChildren } from "react"

/** Room for a wide table on a narrow screen; with the keyboard it can be reached and scrolled too. */
export function ScrollRegion({ label, children }: PropsWithChildren<{ label: string }>) {
  return (
    <div
      // A table's outer cells have their padding at the left and the right, whichever way it runs.
      className="overflow-x-auto rtl:[&_tr>*:first-child]:pr-6 rtl:[&_tr>*:last-child]:pl-6"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {children}
    </div>
  )
}
