import { Heading, Text } from "@medusajs/ui"
import type { PropsWithChildren, ReactNode } from "react"

interface SectionHeadingProps {
  title: string
  subtitle?: string
  level?: "h1" | "h2"
}

/** The head of a section as core's pages have it: title, a line below, actions at the end. */
export function SectionHeading({
  title,
  subtitle,
  level = "h2",
  children,
}: PropsWithChildren<SectionHeadingProps>) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
      <div className="min-w-0">
        <Heading level={level}>{title}</Heading>
        {subtitle !== undefined && (
          <Text size="small" className="text-ui-fg-subtle text-pretty">
            {subtitle}
          </Text>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">{children}</div>
    </div>
  )
}

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

/** One fact of a section: its name, and what it is. A pair of a description list. */
export function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="text-ui-fg-subtle grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-4 px-6 py-3">
      <dt className="txt-compact-small-plus">{name}</dt>
      <dd className="txt-compact-small flex min-w-0 flex-wrap items-center gap-1">{children}</dd>
    </div>
  )
}
