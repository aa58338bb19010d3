import { Button, Drawer, usePrompt } from "@medusajs/ui"
import { type FormEvent, type PropsWithChildren, type ReactNode, useState } from "react"
import { useWords } from "./words"

interface FormDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  submitLabel: string
  isSubmitting: boolean
  /** Whether it says something else than at the beginning, where buttons change it as well as what is typed. */
  isChanged?: boolean
  onSubmit: () => void
  /** Further buttons before Cancel and the main one. */
  extra?: ReactNode
}

/** A form at the side, as core's pages edit things. Asks before it drops what was typed. */
export function FormDrawer({ children, ...props }: PropsWithChildren<FormDrawerProps>) {
  const t = useWords()
  const ask = usePrompt()
  // A drawer is made when it is opened: what has the focus then is what opened it, and gets it back.
  const [opener] = useState(() => document.activeElement)
  const [isTyped, setTyped] = useState(false)
  const close = async () => {
    const question = {
      title: t("common.discardTitle"),
      description: t("common.discardHint"),
      confirmText: t("common.discard"),
      cancelText: t("common.goOn"),
    }
    if (isTyped || props.isChanged === true) {
      // Esc closes core's question as well, also the Esc that is being handled: it is asked after that.
      await new Promise((resolve) => setTimeout(resolve))
      if (!(await ask(question))) {
        return
      }
    }
    props.onOpenChange(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The drawer is a child of whatever opened it, and may be inside another form of the page.
    event.stopPropagation()
    props.onSubmit()
  }
  return (
    <Drawer open={props.open} onOpenChange={() => void close()}>
      <Drawer.Content
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (opener instanceof HTMLElement) {
            opener.focus()
          }
        }}
        {...(props.description === undefined ? { "aria-describedby": undefined } : {})}
      >
        <Drawer.Header>
          <Drawer.Title asChild>
            <h2>{props.title}</h2>
          </Drawer.Title>
          {props.description !== undefined && (
            <Drawer.Description className="text-pretty">{props.description}</Drawer.Description>
          )}
        </Drawer.Header>
        <form
          noValidate
          onSubmit={submit}
          onChange={() => setTyped(true)}
          className="flex flex-1 flex-col overflow-hidden"
        >
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
