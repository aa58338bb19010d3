import type { State } from "./state"

/** One step that is possible in a state. */
export interface Move {
  /** A sentence of the story; `{0}` and `{1}` are replaced by the names of the settles. */
  says: string
  to: State
  /** Somebody else's choice: nothing makes it happen. All other steps happen sooner or later. */
  isOutside?: boolean
  /** Nothing but time passes. */
  isTime?: boolean
}
