import { toast } from "@medusajs/ui"
import { download, type Query } from "./admin-api"
import { apiMessage } from "./api-message"
import { useAction } from "./action"
import { useWords } from "./words"

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
