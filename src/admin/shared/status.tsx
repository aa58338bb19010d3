import { clx, StatusBadge } from "@medusajs/ui"
import type { ComponentProps } from "react"

/** Core's status badge, in one line; its padding is made for left to right, so it is turned for the other way. */
export function Status({ className, ...props }: ComponentProps<typeof StatusBadge>) {
  return <StatusBadge className={clx("whitespace-nowrap rtl:pl-1.5 rtl:pr-0.5", className)} {...props} />
}
