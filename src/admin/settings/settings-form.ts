import { toast } from "@medusajs/ui"
import { useState } from "react"
import type { CryptoSettings, FormerOrigin, SaveSettings, SettingsWarning } from "../../http-contract"
import { AdminApiError, apiMessage } from "../shared/admin-api"
import { useFormToast } from "../shared/form"
import { useWords, type Words } from "../shared/words"
import { notWhole, settingField, settingNames, typedFrom } from "./setting-fields"
import { useSaveSettings } from "./settings"

/** What is wrong, by the name of the setting. */
type FieldErrors = Partial<Record<string, string>>

/** A form, for its fields. */
export type SettingsForm = Pick<ReturnType<typeof useSettingsForm>, "settings" | "errors" | "typed" | "type">

/** A form of settings: what is typed, and what of it is wrong. */
export function useSettingsForm(settings: CryptoSettings, onSaved: () => void) {
  const t = useWords()
  const [typed, setTyped] = useState(() => typedFrom(settings))
  const type = (name: string, value: string | boolean) => setTyped((before) => ({ ...before, [name]: value }))
  const saving = useSettingsSave(settings, onSaved)
  /** Submits the form, unless a number field contains something else. */
  const withNumbers = (names: readonly string[], run: () => void) => {
    const wrong = notWhole(names, typed)
    saving.setErrors(Object.fromEntries(wrong.map((name) => [name, t("settings.errors.notWhole")])))
    if (wrong.length === 0) {
      run()
    }
  }
  const isChanged = JSON.stringify(typed) !== JSON.stringify(typedFrom(settings))
  return { ...saving, settings, typed, type, withNumbers, isChanged }
}

/** Saves settings, asks whose open payments are if the API requires it, and shows errors next to the fields. */
export function useSettingsSave(settings: CryptoSettings, onSaved: () => void) {
  const t = useWords()
  const formToast = useFormToast()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [question, setQuestion] = useState<{ input: SaveSettings; asked: FormerOrigin } | null>(null)
  const { mutateAsync, isPending } = useSaveSettings(settings.provider_id)

  const refuse = (error: Error) => setErrors(fieldErrors(error, t))
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
      refuse(error as Error)
      formToast.fail(t("settings.saveFailed"), problemWords(error as Error, t))
    }
  }
  const save = (input: Omit<SaveSettings, "version">) => {
    setErrors({})
    formToast.clear()
    void send({ ...input, version: settings.version })
  }
  const originQuestion = question && {
    asked: question.asked,
    onCancel: () => setQuestion(null),
    onAnswer: (same_account: boolean) => {
      setQuestion(null)
      void send({ ...question.input, confirm_origin_change: true, same_account })
    },
  }
  return { save, refuse, setErrors, errors, isPending, originQuestion }
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
  const { code, fields, body } = error
  const names = settingNames(fields, t)
  if (code === "encryption_key") {
    return t(`settings.encryption.${body.state ?? "missing"}`)
  }
  if (code === "locked") {
    return t("settings.lockedHint")
  }
  const isKnown =
    (code === "invalid" && fields.length > 0) ||
    ["secrets_required", "origin_not_allowed", "stale_version"].includes(code ?? "")
  return isKnown ? t(`settings.errors.${code ?? ""}`, { fields: names }) : apiMessage(error, t)
}

function fieldErrors(error: Error, t: Words): FieldErrors {
  return error instanceof AdminApiError
    ? Object.fromEntries(error.fields.map((name) => [name, fieldWords(error, name, t)]))
    : {}
}

function fieldWords(error: AdminApiError, name: string, t: Words): string {
  if (error.code === "secrets_required") {
    return t("settings.fields.secret_again")
  }
  if (error.code === "invalid") {
    const { hint } = settingField(name)
    return [t("settings.errors.notUsable"), ...(hint === undefined ? [] : [t(hint)])].join(" ")
  }
  return problemWords(error, t)
}
