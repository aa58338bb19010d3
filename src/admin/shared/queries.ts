import {
  useIsMutating,
  useMutation,
  type UseMutationOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from "@tanstack/react-query"
import { get, type Query } from "./admin-api"

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

type Action<Data, Input> = Required<
  Pick<UseMutationOptions<Data, Error, Input>, "mutationKey" | "mutationFn">
> &
  Pick<UseMutationOptions<Data, Error, Input>, "onSuccess" | "onError" | "onSettled"> & {
    /** First parts of the keys of what is read again after it, also when it failed. */
    changes?: string[]
  }

/**
 * As `useMutation`, but what has the same key is sent once at a time. A button that is drawn as busy does not see to
 * that: a double click is over before it is drawn, and the store refuses the second while it is still at work on the
 * first.
 */
export function useAction<Data, Input = void>({ changes = [], ...action }: Action<Data, Input>) {
  const client = useQueryClient()
  // Otherwise a click without a network would be sent once there is one, from a form that is long closed.
  const { mutate, mutateAsync, data, error, reset } = useMutation({
    ...action,
    networkMode: "always",
    onSettled: async (...settled) => {
      changes.forEach((key) => void client.invalidateQueries({ queryKey: [key] }))
      await action.onSettled?.(...settled)
    },
  })
  const sameAction = { mutationKey: action.mutationKey, exact: true }
  const isUnderWay = () => client.isMutating(sameAction) > 0
  const send: typeof mutate = (...sent) => {
    if (!isUnderWay()) {
      mutate(...sent)
    }
  }
  /** @returns undefined for what was not sent */
  const sendAsync = async (input: Input): Promise<Data | undefined> =>
    isUnderWay() ? undefined : await mutateAsync(input)
  /** Forgets the answer, and does not wait for one that is still to come. */
  const forget = () => {
    const mutations = client.getMutationCache()
    for (const mutation of mutations.findAll(sameAction)) {
      mutations.remove(mutation)
    }
    reset()
  }
  return {
    mutate: send,
    mutateAsync: sendAsync,
    data,
    error,
    reset: forget,
    isPending: useIsMutating(sameAction) > 0,
  }
}
/**
 * For what the gateway was asked: called read just now, so what was read on an earlier visit is not shown again, not
 * even first.
 */
export const JUST_NOW = { staleTime: 0, gcTime: 0 }
