import type { PropsWithChildren } from "react"

/** Room for a wide table on a narrow screen; with the keyboard it can be reached and scrolled too. */
export function ScrollRegion({ label, children }: PropsWithChildren<{ label: string }>) {
  return (
    <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
