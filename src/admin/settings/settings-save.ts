import { toast } from "@medusajs/ui"
import { useState } from "react"
import { AdminApiError, apiMessage } from "../shared/admin-api"
import { settingHint, settingNames } from "./setting-name"
import type { CryptoSettings, FormerOrigin, SaveSettings, SettingsWarning } from "../../http-contract"
import { notWhole } from "./whole-number"
import { useFormToast } from "../shared/form"
import { useSaveSettings } from "./settings"
import { useWords, type Words } from "../shared/words"

/** What is wrong, by the name of the setting. */
export type FieldErrors = Record<string, string | undefined>

/** Saves settings, asks whose open payments are if the API requires it, and shows errors next to the fields. */
export function useSettingsSave(settings: CryptoSettings, onSaved: () => void) {
  const t = useWords()
  const formToast = useFormToast()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [question, setQuestion] = useState<{ input: SaveSettings; asked: FormerOrigin } | null>(null)
  const { mutateAsync, isPending } = useSaveSettings(settings.provider_id)

  const send = async (input: SaveSettings): Promise<void> => {
    try {
      const saved = await mutateAsync(input)
      if (saved === undefined) {
        return
      }
      if (saved.warnings.length > 0) {
        toast.warning(t("settings.saved"), { description: warningWords(saved.warnings, t) })
      } else {
        toast.success(t("settings.saved"))
      }
      onSaved()
    } catch (error) {
      if (error instanceof AdminApiError && error.code === "origin_change_unconfirmed") {
        const { former_origin: origin = "", open_requests = 0 } = error.body
        setQuestion({ input, asked: { origin, open_requests } })
        return
      }
      setErrors(fieldErrors(error as Error, t))
      formToast.fail(t("settings.saveFailed"), problemWords(error as Error, t))
    }
  }
  const save = (input: Omit<SaveSettings, "version">) => {
    setErrors({})
    formToast.clear()
    void send({ ...input, version: settings.version })
  }
  const refuse = (error: Error) => setErrors(fieldErrors(error, t))
  /** Submits the form, unless a number field contains something else: that would remove the setting. */
  const withNumbers = (typed: Record<string, string>, run: () => void) => {
    const wrong = notWhole(typed)
    setErrors(Object.fromEntries(wrong.map((name) => [name, t("settings.errors.notWhole")])))
    if (wrong.length === 0) {
      run()
    }
  }
  const originQuestion = question && {
    asked: question.asked,
    onCancel: () => setQuestion(null),
    onAnswer: (same_account: boolean) => {
      setQuestion(null)
      void send({ ...question.input, confirm_origin_change: true, same_account })
    },
  }
  return { save, refuse, withNumbers, errors, isPending, originQuestion }
}

/** What was saved or tested, and somebody should look at. */
export function warningWords(warnings: SettingsWarning[], t: Words): string {
  return warnings
    .map(({ code, hosts }) => t(`settings.warning.${code}`, { hosts: hosts.join(", ") }))
    .join(" ")
}

/** The error as one sentence in the reader's language, where there is one. */
export function problemWords(error: Error, t: Words): string {
  if (!(error instanceof AdminApiError)) {
    return apiMessage(error, t)
  }
  switch (error.code) {
    case "secrets_required":
      return t("settings.errors.secrets_required", { fields: settingNames(error.fields, t) })
    case "invalid":
      return error.fields.length === 0
        ? apiMessage(error, t)
        : t("settings.errors.invalid", { fields: settingNames(error.fields, t) })
    case "origin_not_allowed":
      return t("settings.errors.origin_not_allowed")
    case "stale_version":
      return t("settings.errors.stale_version")
    case "locked":
      return t("settings.lockedHint")
    case "encryption_key":
      return t(`settings.encryption.${error.body.state ?? "missing"}`)
    default:
      return apiMessage(error, t)
  }
}

function fieldWords(error: AdminApiError, field: string, t: Words): string {
  switch (error.code) {
    case "secrets_required":
      return t("settings.fields.secret_again")
    case "origin_not_allowed":
      return t("settings.errors.origin_not_allowed")
    case "locked":
      return t("settings.lockedHint")
    default:
      return [t("settings.errors.notUsable"), settingHint(field, t)].join(" ").trim()
  }
}

function fieldErrors(error: Error, t: Words): FieldErrors {
  if (!(error instanceof AdminApiError)) {
    return {}
  }
  return Object.fromEntries(error.fields.map((field) => [field, fieldWords(error, field, t)]))
}
