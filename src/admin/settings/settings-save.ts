import { toast, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { AdminApiError, apiMessage } from "../shared/admin-api"
import { settingHint, settingNames } from "./setting-name"
import type { CryptoSettings, SaveSettings, SettingsInput, SettingsWarning } from "../../http-contract"
import { notWhole } from "./whole-number"
import { useFormToast } from "../shared/form"
import { useSaveSettings } from "./settings"
import { useWords, type Words } from "../shared/words"

/** What is wrong, by the name of the setting. */
export type FieldErrors = Record<string, string | undefined>

/** Saves settings, asks for confirmation if the API requires it, and shows errors next to the fields. */
export function useSettingsSave(settings: CryptoSettings, onSaved: () => void) {
  const t = useWords()
  const prompt = usePrompt()
  const formToast = useFormToast()
  const [errors, setErrors] = useState<FieldErrors>({})
  const { mutateAsync, isPending } = useSaveSettings(settings.provider_id)

  const send = async (input: SaveSettings): Promise<void> => {
    try {
      const saved = await mutateAsync(input)
      if (saved === undefined) {
        return
      }
      const { rows_left_at_former_origin: left, warnings } = saved
      const done = left > 0 ? t("settings.savedLeft", { count: left }) : t("settings.saved")
      if (warnings.length > 0) {
        toast.warning(done, { description: warningWords(warnings, t) })
      } else {
        toast.success(done)
      }
      onSaved()
    } catch (error) {
      if (error instanceof AdminApiError && error.code === "origin_change_unconfirmed") {
        if (await prompt(originQuestion(error, t))) {
          await send({ ...input, confirm_origin_change: true })
        }
        return
      }
      setErrors(fieldErrors(error as Error, t))
      formToast.fail(t("settings.saveFailed"), problemWords(error as Error, t))
    }
  }
  const save = (input: SettingsInput & { discard_unreadable_secrets?: boolean }) => {
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
  return { save, refuse, withNumbers, errors, isPending }
}

function originQuestion({ body }: AdminApiError, t: Words) {
  const told = { count: body.open_requests ?? 0, origin: body.former_origin ?? "" }
  return {
    title: t("settings.origin.title"),
    description:
      body.is_kept === false ? t("settings.origin.moves", told) : t("settings.origin.description", told),
    confirmText: t("settings.origin.confirm"),
    cancelText: t("common.cancel"),
    variant: "confirmation" as const,
  }
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
