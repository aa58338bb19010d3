import { useSyncExternalStore, type ReactElement, type ReactNode } from "react"
import { CartIsPaid } from "./store"

const CHANGED = "shop:navigated"

function subscribe(onChange: () => void): () => void {
  window.addEventListener("popstate", onChange)
  window.addEventListener(CHANGED, onChange)
  return () => {
    window.removeEventListener("popstate", onChange)
    window.removeEventListener(CHANGED, onChange)
  }
}

/** The path of the address. A shop of four pages needs no other router. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname)
}

export function goTo(path: string): void {
  window.history.pushState(null, "", path)
  window.dispatchEvent(new Event(CHANGED))
  window.scrollTo(0, 0)
}

/** Opens the return page of a payment. */
export function goToReturn(sessionId: string): void {
  goTo(`/checkout/return?session_id=${encodeURIComponent(sessionId)}`)
}

/** Opens the payment's page if the cart was paid meanwhile. @returns whether it was */
export function returnIfPaid(error: unknown): boolean {
  if (!(error instanceof CartIsPaid)) {
    return false
  }
  goToReturn(error.sessionId)
  return true
}

export function Link(props: { to: string; className?: string; children: ReactNode }): ReactElement {
  return (
    <a
      href={props.to}
      className={props.className}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0) {
          event.preventDefault()
          goTo(props.to)
        }
      }}
    >
      {props.children}
    </a>
  )
}
