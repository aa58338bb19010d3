import { toast } from "@medusajs/ui"
import type { UseQueryOptions } from "@tanstack/react-query"
import { useIsMutating, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useQueryParams } from "@medusajs/dashboard/hooks"
import { useState } from "react"
import { useSearchParams } from "react-router-dom"
import type { CryptoPayment } from "../../http-contract"
import { apiMessage, download, get, post, type Query } from "./admin-api"
import { t } from "./words"

/** Reads from the plugin's admin API. @param key first part of the query's key; queries are invalidated by it */
export function useRead<T, Shown = T>(
  key: string,
  path: string,
  query: Query,
  options: Omit<UseQueryOptions<T, Error, Shown>, "queryKey" | "queryFn">
) {
  return useQuery({ queryKey: [key, path, query], queryFn: () => get<T>(path, query), ...options })
}

/** For the gateway's answers, which the page calls "just read": never shows an older answer, not even first. */
export const JUST_NOW = { staleTime: 0, gcTime: 0 }

export interface ActionOptions<Data, Input> {
  /** Runs if the component of the action is still on the page, as `failed` does. */
  done?: (answer: Data) => void
  /** The key of the title of a failure, or another reaction to it. */
  failed?: string | ((error: Error, input: Input) => void)
  /** Runs in any case, and is waited for. */
  onSuccess?: () => Promise<void>
  /** Distinguishes actions with the same path. */
  of?: string | undefined
  send?: (input: Input) => Promise<Data>
  /** First parts of the keys of queries that are read again after it, even after a failure. */
  changes?: string[]
  changesIfDone?: string[]
}

/** `useMutation`, but one at a time per path: a double click is over before a button is drawn as busy. */
export function useAction<Data, Input = void>(path: string, action: ActionOptions<Data, Input>) {
  const { of, send, changes = [], changesIfDone = [], done, failed, onSuccess } = action
  const client = useQueryClient()
  const readAgain = (key: string) => void client.invalidateQueries({ queryKey: [key] })
  const mutationKey = ["crypto-action", path, of]
  const { mutate, data, error, variables, reset } = useMutation({
    ...(onSuccess && { onSuccess }),
    mutationKey,
    mutationFn: send ?? (async (input: Input) => await post<Data>(path, input)),
    // Otherwise a click without a network would be sent once there is one, from a form that was closed long ago.
    networkMode: "always",
    onSettled: (_data, error) => new Set([...changes, ...(error ? [] : changesIfDone)]).forEach(readAgain),
  })
  const sameAction = { mutationKey, exact: true }
  const onError = (refused: Error, input: Input) =>
    typeof failed === "string"
      ? toast.error(t(failed), { description: apiMessage(refused) })
      : failed?.(refused, input)
  const start = (input: Input) => {
    if (client.isMutating(sameAction) === 0) {
      mutate(input, { onSuccess: (answer) => done?.(answer), onError })
    }
  }
  /** Forgets the answer, also one that has not arrived yet. */
  const forget = () => {
    const mutations = client.getMutationCache()
    mutations.findAll(sameAction).forEach((mutation) => mutations.remove(mutation))
    reset()
  }
  return { mutate: start, data, error, variables, reset: forget, isPending: useIsMutating(sameAction) > 0 }
}

export const PAYMENTS = "crypto-payments"
/** Counts the open cases of each reason. */
export const HEALTH = "crypto-payment-health"

/** An action on a payment or its order: reads again what may change by it, such as lists, order page and timeline. */
export const usePaymentAction = <Answer, Input = void>(path: string, options: ActionOptions<Answer, Input>) =>
  // Not after a refusal: a case that somebody else resolved would leave the list, and the open form with it.
  useAction<Answer, Input>(path, { ...options, changesIfDone: [PAYMENTS, HEALTH, "orders"] })

type Answer = { crypto_payment: CryptoPayment; already_registered?: boolean }
type Done = (answer: Answer) => void

/** Sends a complete form about a payment to `path`, and closes it on success. */
export function useSubmit(path: string, onClose: () => void, done: Done, changes: string[] = []) {
  const [isTried, setTried] = useState(false)
  const { mutate, isPending, error, reset } = usePaymentAction<Answer, object>(path, {
    done: (answer) => {
      done(answer)
      onClose()
    },
    changes,
  })
  const submit = (input: object, isComplete: boolean) => {
    setTried(true)
    if (isComplete) {
      mutate(input)
    }
  }
  const problem = error === null ? undefined : apiMessage(error)
  const forgetRefusal = () => error !== null && reset()
  return { drawer: { onClose, isSubmitting: isPending, problem }, submit, isTried, error, forgetRefusal }
}

/** The props of a button that saves the API's file. */
export function useExport(path: string, query: Query) {
  const { mutate: save, isPending } = useAction(path, {
    send: async () => await download(path, query),
    failed: "common.exportFailed",
  })
  return { label: t("common.export"), onClick: () => save(), isLoading: isPending }
}

/** One value of the page's address, so that a reload and a shared link show the same. `others` are set with it. */
export function useUrlState(name: string, fallback: string) {
  const [parameters, setParameters] = useSearchParams()
  const set = (value: string, others: Record<string, string> = {}) => {
    // Not the router's value, which is what was drawn last: a slow browser has not drawn the last choice.
    const changed = new URLSearchParams(window.location.search)
    // Another choice has other pages.
    changed.delete("offset")
    const changes = { ...others, [name]: value }
    Object.entries(changes).forEach(([key, chosen]) =>
      chosen === fallback ? changed.delete(key) : changed.set(key, chosen)
    )
    setParameters(changed, { replace: true })
  }
  return [parameters.get(name) ?? fallback, set] as const
}

/** The data table's state in the page's address, in the admin API's form. Filters are JSON in the address. */
export function useTableQuery(filters: readonly string[], pageSize: number): Query {
  const { offset, q, order, ...chosen } = useQueryParams(["offset", "q", "order", ...filters])
  const parsed = Object.entries(chosen).map(([name, value]) => [name, toDayEnd(parseFilter(value))] as const)
  return { limit: pageSize, offset: Number(offset) || 0, q, order, ...Object.fromEntries(parsed) }
}

export function withOffset(parameters: URLSearchParams, offset: number): URLSearchParams {
  const changed = new URLSearchParams(parameters)
  changed.set("offset", String(offset))
  return changed
}

/** Core's date filter ends a range with the first moment of its last day, which belongs to the range. */
function toDayEnd(filter: Query[string]): Query[string] {
  if (typeof filter !== "object" || Array.isArray(filter)) {
    return filter
  }
  const end = new Date(filter["$lte"] ?? NaN)
  if (end.getTime() === new Date(end).setHours(0, 0, 0, 0)) {
    end.setHours(23, 59, 59, 999)
    return { ...filter, $lte: end.toISOString() }
  }
  return filter
}

/** Null is a filter that was added and not chosen yet; `open` is from an address written by hand. */
function parseFilter(raw = "null"): Query[string] {
  try {
    return (JSON.parse(raw) as Query[string] | null) ?? undefined
  } catch {
    return raw
  }
}
