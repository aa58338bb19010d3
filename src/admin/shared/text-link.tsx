import { clx } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { Link } from "react-router-dom"

/** A link within text. Underlined and in the text's own colour: core's blue is too pale to read for some. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={clx(
        "text-ui-fg-base hover:text-ui-fg-subtle decoration-ui-fg-muted underline underline-offset-2",
        className
      )}
      {...props}
    />
  )
}
