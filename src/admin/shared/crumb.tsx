import { useWords } from "./words"
import { Boundary } from "./guarded"

/** A page's name in the breadcrumbs. */
export function Crumb({ name }: { name: string }) {
  return (
    <Boundary fallback={() => null}>
      <Name name={name} />
    </Boundary>
  )
}

function Name({ name }: { name: string }) {
  const t = useWords()
  return <span>{t(name)}</span>
}
