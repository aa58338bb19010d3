import { Button, Drawer } from "@medusajs/ui"
import type { FormEvent, PropsWithChildren, ReactNode } from "react"
import { useWords } from "../hooks/words"

interface FormDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  submitLabel: string
  isSubmitting: boolean
  onSubmit: () => void
  /** Further buttons before Cancel and the main one. */
  extra?: ReactNode
}

/** A form at the side, as core's pages edit things. */
export function FormDrawer({ children, ...props }: PropsWithChildren<FormDrawerProps>) {
  const t = useWords()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The drawer is a child of whatever opened it, and may stand within another form of the page.
    event.stopPropagation()
    props.onSubmit()
  }
  return (
    <Drawer open={props.open} onOpenChange={props.onOpenChange}>
      <Drawer.Content {...(props.description === undefined ? { "aria-describedby": undefined } : {})}>
        <Drawer.Header>
          <Drawer.Title asChild>
            <h2>{props.title}</h2>
          </Drawer.Title>
          {props.description !== undefined && (
            <Drawer.Description className="text-pretty">{props.description}</Drawer.Description>
          )}
        </Drawer.Header>
        <form noValidate onSubmit={submit} className="flex flex-1 flex-col overflow-hidden">
          <Drawer.Body className="flex flex-1 flex-col gap-y-6 overflow-y-auto">{children}</Drawer.Body>
          <Drawer.Footer>
            {props.extra}
            <Drawer.Close asChild>
              <Button size="small" variant="secondary" type="button">
                {t("common.cancel")}
              </Button>
            </Drawer.Close>
            <Button size="small" type="submit" isLoading={props.isSubmitting}>
              {props.submitLabel}
            </Button>
          </Drawer.Footer>
        </form>
      </Drawer.Content>
    </Drawer>
  )
}
