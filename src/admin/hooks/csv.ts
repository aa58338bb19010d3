import { toast } from "@medusajs/ui"
import { useState } from "react"
import { download, type Query } from "../lib/admin-api"
import { apiMessage } from "../lib/api-message"
import { useWords } from "./words"

/** Saves one of the API's CSVs as a file, and says so if that does not work. */
export function useCsv() {
  const t = useWords()
  const [isSaving, setSaving] = useState(false)
  const saveCsv = async (path: string, query: Query, fileName: string) => {
    setSaving(true)
    try {
      await download(path, query, fileName)
    } catch (error) {
      toast.error(t("common.exportFailed"), { description: apiMessage(error as Error, t) })
    } finally {
      setSaving(false)
    }
  }
  return { saveCsv, isSaving }
}
