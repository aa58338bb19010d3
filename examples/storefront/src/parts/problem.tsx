import type { ReactElement } from "react"
import { useShop } from "../shop-context"

/** Shown when the store does not answer. */
export function Problem(props: { retry: () => void }): ReactElement {
  const { texts } = useShop()
  return (
    <div className="card problem" role="alert">
      <p>{texts.problem}</p>
      <button type="button" className="button" onClick={props.retry}>
        {texts.again}
      </button>
    </div>
  )
}
