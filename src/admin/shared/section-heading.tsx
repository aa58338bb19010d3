import { Heading, Text } from "@medusajs/ui"
import type { PropsWithChildren } from "react"

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
