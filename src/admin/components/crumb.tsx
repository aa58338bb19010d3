import { useWords } from "../hooks/words"

/** A page's name in the breadcrumbs. */
export function Crumb({ name }: { name: string }) {
  const t = useWords()
  return <span>{t(name)}</span>
}
