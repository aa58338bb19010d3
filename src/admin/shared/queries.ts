import { toast } from "@medusajs/ui"
import {
  useIsMutating,
  useMutation,
  type UseMutationOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from "@tanstack/react-query"
import { useSearchParams } from "react-router-dom"
import { apiMessage, get, post, type Query } from "./admin-api"
import { useWords } from "./words"

/**
 * Reads from the plugin's admin API.
 *
 * @param key the first part of the query's key: what is invalidated together
 */
export function useRead<T, Shown = T>(
  key: string,
  path: string,
  query: Query = {},
  options: Omit<UseQueryOptions<T, Error, Shown>, "queryKey" | "queryFn"> = {}
) {
  return useQuery({
    queryKey: [key, path, query],
    queryFn: async () => await get<T>(path, query),
    ...options,
  })
}

/**
 * For what the gateway was asked: called read just now, so what was read on an earlier visit is not shown again, not
 * even first.
 */
export const JUST_NOW = { staleTime: 0, gcTime: 0 }

/** What is said after an action, if what sent it is still on the page. */
export interface Said<Data, Input = void> {
  done?: (answer: Data) => void
  /** The key of the words above the reason why it failed, or what else to do then. */
  failed?: string | ((error: Error, input: Input) => void)
}

interface Action<Data, Input>
  extends Said<Data, Input>, Pick<UseMutationOptions<Data, Error, Input>, "onSuccess" | "onError"> {
  /** What tells it apart from others that are sent to the same path. */
  of?: string | undefined
  /** How it is sent, if not as JSON to the path. */
  send?: (input: Input) => Promise<Data>
  /** First parts of the keys of what is read again after it, also when it failed. */
  changes?: string[]
}

/**
 * Sends something to the plugin's admin API. As `useMutation`, but what has the same path is sent once at a time. A
 * button that is drawn as busy does not see to that: a double click is over before it is drawn, and the store refuses
 * the second while it is still at work on the first.
 */
export function useAction<Data, Input = void>(path: string, action: Action<Data, Input>) {
  const { of, send, changes = [], done, failed, ...callbacks } = action
  const t = useWords()
  const client = useQueryClient()
  const mutationKey = ["crypto-action", path, of]
  const { mutate, data, error, reset } = useMutation({
    ...callbacks,
    mutationKey,
    mutationFn: send ?? (async (input: Input) => await post<Data>(path, input)),
    // Otherwise a click without a network would be sent once there is one, from a form that is long closed.
    networkMode: "always",
    onSettled: () => changes.forEach((key) => void client.invalidateQueries({ queryKey: [key] })),
  })
  const sameAction = { mutationKey, exact: true }
  const onError = (refused: Error, input: Input) =>
    typeof failed === "string"
      ? toast.error(t(failed), { description: apiMessage(refused, t) })
      : failed?.(refused, input)
  const start = (input: Input) => {
    if (client.isMutating(sameAction) === 0) {
      mutate(input, { onSuccess: (answer) => done?.(answer), onError })
    }
  }
  /** Forgets the answer, and does not wait for one that is still to come. */
  const forget = () => {
    const mutations = client.getMutationCache()
    mutations.findAll(sameAction).forEach((mutation) => mutations.remove(mutation))
    reset()
  }
  const isPending = useIsMutating(sameAction) > 0
  return { mutate: start, data, error, reset: forget, isPending }
}

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
export function useTableQuery(filters: readonly string[], pageSize: number): Query {
  const [parameters] = useSearchParams()
  const read = (name: string) => parameters.get(name) ?? undefined
  return {
    limit: pageSize,
    offset: Number(read("offset")) || 0,
    q: read("q"),
    order: read("order"),
    ...Object.fromEntries(filters.map((name) => [name, parseFilter(read(name))])),
  }
}

/** Null is a filter that was added and not chosen yet, and `open` one of an address written by hand. */
function parseFilter(raw = "null"): Query[string] {
  try {
    return (JSON.parse(raw) as Query[string] | null) ?? undefined
  } catch {
    return raw
  }
}
