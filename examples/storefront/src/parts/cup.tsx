import type { ReactElement } from "react"

/** The shop's sign, of one size on every system. */
export function Cup(): ReactElement {
  return (
    <svg
      viewBox="0 0 24 24"
      className="icon"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 9h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM17 10h1.500a2.5 2.5 0 0 1 0 5H17M8 2.500v3M13 2.500v3" />
    </svg>
  )
}
