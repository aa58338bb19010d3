import { Alert, Drawer, Hint, Input, Label, Select, Textarea, usePrompt } from "@medusajs/ui"
import type { ComponentProps, ElementType, ReactNode } from "react"
import { useEffect, useId, useRef, useState } from "react"
import { Action, wayBackTo } from "./layout"
import { direction, t } from "./words"

interface FormDrawerProps {
  onClose: () => void
  title: string
  description?: ReactNode
  submitLabel: string
  isSubmitting: boolean
  /** Set it where buttons change the form as well as typing. */
  isChanged?: boolean
  onSubmit: () => void
  /** Why it was not accepted: above the buttons, so that it is seen wherever the form is scrolled to. */
  problem?: string | undefined
  children: ReactNode
}

/** For what is created when it opens: the focused element has opened it, and gets the focus back. */
export function useFocusBack() {
  const [goBack] = useState(() => wayBackTo(document.activeElement as HTMLElement | null))
  return (event: Event) => {
    event.preventDefault()
    goBack()
  }
}

/** Core's question, which leaves the focus nowhere: what had it gets it back. */
export function useQuestion() {
  const ask = usePrompt()
  const turn = async () => await new Promise((resolve) => setTimeout(resolve))
  return async (title: string, description: string, answers: object) => {
    // Esc also closes the question, even the Esc that is being handled. A menu gives the focus back first, too.
    await turn()
    const goBack = wayBackTo(document.activeElement as HTMLElement | null)
    const isConfirmed = await ask({ title, description, cancelText: t("common.cancel"), ...answers })
    await turn()
    goBack()
    return isConfirmed
  }
}

/** A form at the side, as in core's pages. Asks before it drops what was typed. */
export function FormDrawer({ title, description, submitLabel, isSubmitting, ...props }: FormDrawerProps) {
  const ask = useQuestion()
  const focusBack = useFocusBack()
  const [isTyped, setTyped] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid='true']")
    wrong?.scrollIntoView({ block: "center" })
    wrong?.focus({ preventScroll: true })
  }, [props.problem])
  const close = async () => {
    const isDirty = isTyped || props.isChanged
    const answers = { confirmText: t("common.discard"), cancelText: t("common.goOn") }
    if (!isDirty || (await ask(t("common.discardTitle"), t("common.discardHint"), answers))) {
      props.onClose()
    }
  }
  return (
    // What was sent cannot be taken back, and its answer is shown here.
    <Drawer open onOpenChange={isSubmitting ? undefined : () => void close()}>
      <Drawer.Content
        // Radix begins at the close button, which is before the form.
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          form.current?.querySelector<HTMLElement>(":enabled[id], [type=submit]")?.focus()
        }}
        onCloseAutoFocus={focusBack}
        {...(description === undefined && { "aria-describedby": undefined })}
      >
        <Drawer.Header>
          <Drawer.Title>{title}</Drawer.Title>
          {description !== undefined && (
            <Drawer.Description className="text-pretty">{description}</Drawer.Description>
          )}
        </Drawer.Header>
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            // The drawer is a child of what opened it, and may be inside another form of the page.
            event.stopPropagation()
            props.onSubmit()
          }}
          onChange={() => setTyped(true)}
          className="flex flex-1 flex-col overflow-hidden"
        >
          <Drawer.Body className="flex flex-1 flex-col gap-y-6 overflow-y-auto">{props.children}</Drawer.Body>
          {props.problem !== undefined && (
            <Alert variant="error" role="alert" className="mx-6 mb-4">
              {props.problem}
            </Alert>
          )}
          <Drawer.Footer className="gap-x-2 space-x-0">
            <Action label={t("common.cancel")} disabled={isSubmitting} onClick={() => void close()} />
            <Action label={submitLabel} variant="primary" type="submit" isLoading={isSubmitting} />
          </Drawer.Footer>
        </form>
      </Drawer.Content>
    </Drawer>
  )
}

interface FormFieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: (control: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode
}

export function FormField({ label, hint, error, children }: FormFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="flex flex-col gap-y-2">
      <Label htmlFor={id} size="small" weight="plus" className="w-fit">
        {label}
      </Label>
      {children({ id, "aria-describedby": hintId, "aria-invalid": error !== undefined })}
      <div id={hintId} className="empty:hidden">
        {error ? <Hint variant="error">{error}</Hint> : hint && <Hint className="text-pretty">{hint}</Hint>}
      </div>
    </div>
  )
}

type TextFieldProps = Omit<FormFieldProps, "children"> &
  Pick<ComponentProps<typeof Input>, "dir" | "inputMode" | "maxLength" | "onFocus" | "placeholder"> & {
    value: string
    onChange: (typed: string) => void
    rows?: number
  }

export function TextField({ label, hint, error, rows, onChange, ...input }: TextFieldProps) {
  const Field: ElementType = rows === undefined ? Input : Textarea
  const change = ({ target }: { target: { value: string } }) => onChange(target.value)
  return (
    <FormField label={label} hint={hint} error={error}>
      {(control) => <Field autoComplete="off" rows={rows} {...control} {...input} onChange={change} />}
    </FormField>
  )
}

interface ChoiceProps extends Omit<ComponentProps<typeof Select.Trigger>, "value" | "onChange"> {
  value: string
  onChange: (value: string) => void
  options: { value: string; label: string }[]
  size?: "base" | "small"
}

export const Choice = ({ value, onChange, options, size = "small", ...trigger }: ChoiceProps) => (
  <Select dir={direction()} size={size} value={value} onValueChange={onChange}>
    <Select.Trigger {...trigger}>
      <Select.Value placeholder="–" />
    </Select.Trigger>
    <Select.Content>
      {options.map((option) => (
        <Select.Item key={option.value} value={option.value}>
          {option.label}
        </Select.Item>
      ))}
    </Select.Content>
  </Select>
)
