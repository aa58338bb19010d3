import { Hint, Label } from "@medusajs/ui"
import { type ReactNode, useId } from "react"

interface FormFieldProps {
  label: string
  optional?: string | undefined
  hint?: ReactNode
  error?: string | undefined
  children: (control: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode
}

/** A labelled control with its hint, or what is wrong with it. */
export function FormField({ label, optional, hint, error, children }: FormFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="flex flex-col gap-y-2">
      <div className="flex items-center gap-x-1">
        <Label htmlFor={id} size="small" weight="plus">
          {label}
        </Label>
        {optional !== undefined && <span className="txt-compact-small text-ui-fg-muted">{optional}</span>}
      </div>
      {children({ id, "aria-describedby": hintId, "aria-invalid": error !== undefined })}
      <div id={hintId} className="empty:hidden">
        {error !== undefined ? (
          <Hint variant="error">{error}</Hint>
        ) : (
          hint !== undefined && <Hint className="text-pretty">{hint}</Hint>
        )}
      </div>
    </div>
  )
}
