import { useIsMutating, useMutation, type UseMutationOptions, useQueryClient } from "@tanstack/react-query"
import { toast } from "@medusajs/ui"
import { apiMessage, download, type Query } from "./admin-api"
import { useWords } from "./words"

type Action<Data, Input> = Required<
  Pick<UseMutationOptions<Data, Error, Input>, "mutationKey" | "mutationFn">
> &
  Pick<UseMutationOptions<Data, Error, Input>, "onSuccess" | "onError" | "onSettled">

/**
 * As `useMutation`, but what has the same key is sent once at a time. A button that is drawn as busy does not see to
 * that: a double click is over before it is drawn, and the store refuses the second while it is still at work on the
 * first.
 */
export function useAction<Data, Input = void>(action: Action<Data, Input>) {
  const client = useQueryClient()
  // Otherwise a click without a network would be sent once there is one, from a form that is long closed.
  const { mutate, mutateAsync, data, error, reset } = useMutation({ ...action, networkMode: "always" })
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

/** Saves one of the API's CSVs as a file, and says so if that does not work. */
export function useCsv(path: string, fileName: string) {
  const t = useWords()
  const { mutate, isPending } = useAction({
    mutationKey: ["crypto-csv", path],
    mutationFn: async (query: Query) => await download(path, query, fileName),
    onError: (error) => toast.error(t("common.exportFailed"), { description: apiMessage(error, t) }),
  })
  return { saveCsv: mutate, isSaving: isPending }
}
