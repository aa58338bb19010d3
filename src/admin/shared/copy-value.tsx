import { Copy } from "@medusajs/ui"

/** An id or an address that people paste elsewhere: shortened where it is too long, copied whole. */
export function CopyValue({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex min-w-0 max-w-full items-center gap-x-1">
      <bdi dir="ltr" className="min-w-0 truncate" title={value}>
        {value}
      </bdi>
      <Copy content={value} aria-label={label} className="text-ui-fg-muted shrink-0" />
    </span>
  )
}
