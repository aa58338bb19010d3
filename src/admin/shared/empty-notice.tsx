import { Text } from "@medusajs/ui"
import type { PropsWithChildren, ReactNode } from "react"

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
      <Text size="small" className="text-ui-fg-subtle text-pretty">
        {hint}
      </Text>
      {children}
    </div>
  )
}
