import { toast } from "@medusajs/ui"
import { useEffect, useRef } from "react"

/** Says what is wrong with a form where core says it. It is gone when the form is closed, or sent again. */
export function useFormToast() {
  const shown = useRef<string | number | undefined>(undefined)
  const clear = () => {
    if (shown.current !== undefined) {
      toast.dismiss(shown.current)
      shown.current = undefined
    }
  }
  useEffect(() => clear, [])
  const fail = (title: string, description: string) => {
    clear()
    shown.current = toast.error(title, { description })
  }
  return { fail, clear }
}
