import { useSearchParams } from "react-router-dom"
import type { Query } from "./admin-api"

/** One value of the page's address, so that a reload and a shared link show the same. */
export function useUrlState(name: string, fallback: string): [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams()
  const set = (value: string) => {
    // Not what the router hands a setter: that is what was drawn last, and a slow browser has not drawn the last
    // choice.
    const changed = new URLSearchParams(window.location.search)
    if (value === fallback) {
      changed.delete(name)
    } else {
      changed.set(name, value)
    }
    // Another choice has other pages, and another provider other runs.
    changed.delete("offset")
    if (name === "provider_id") {
      changed.delete("run")
    }
    setParameters(changed, { replace: true })
  }
  return [parameters.get(name) ?? fallback, set]
}

/** What the data table keeps in the page's address, as the admin API wants it. Filters are JSON there. */
export function useTableQuery(filters: string[], pageSize: number): Query {
  const [parameters] = useSearchParams()
  const query: Query = { limit: pageSize, offset: Number(parameters.get("offset") ?? 0) || 0 }
  for (const name of ["q", "order"]) {
    query[name] = parameters.get(name) ?? undefined
  }
  for (const name of filters) {
    query[name] = parseFilter(parameters.get(name))
  }
  return query
}

function parseFilter(raw: string | null): Query[string] {
  if (raw === null) {
    return undefined
  }
  try {
    // Null is a filter that was added and not chosen yet.
    return (JSON.parse(raw) as Query[string] | null) ?? undefined
  } catch {
    // An address written by hand: `?state=open`.
    return raw
  }
}
