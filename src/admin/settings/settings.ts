import { toast } from "@medusajs/ui"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import type {
  ConnectionCheck,
  CryptoSettings,
  EncryptionKeyState,
  FormerOrigin,
  Health,
  SaveSettings,
  SettingsInput,
  SettingsWarning,
  WebhookCheck,
} from "../../http-contract"
import { AdminApiError, apiMessage, post } from "../shared/admin-api"
import { useFormToast } from "../shared/form"
import { JUST_NOW, type Said, useAction, useRead } from "../shared/queries"
import { useWords, type Words } from "../shared/words"
import {
  headersFrom,
  notWhole,
  settingHint,
  settingNames,
  type TypedHeader,
  typedFrom,
} from "./setting-fields"

const SETTINGS = "crypto-payment-settings"
const HEALTH = "crypto-payment-health"
/** What the gateway was asked: with other settings it may answer otherwise. */
const OF_GATEWAY = ["crypto-connection", "crypto-balances"]

export interface AllSettings {
  settings: CryptoSettings[]
  encryption_key: EncryptionKeyState
}

/** As they are now, like everything the checklist says: the dashboard would show what it read a minute ago. */
export function useSettings() {
  return useRead<AllSettings>(SETTINGS, "/settings", {}, { staleTime: 0 })
}

export function useHealth() {
  return useRead<Health>(HEALTH, "/health", {}, { staleTime: 0 })
}

/** With the values of a form before they are saved. */
export function useTestConnection(providerId: string, said: Said<ConnectionCheck> = {}) {
  // Each place shows the answer to its own question.
  const action = { of: useId(), ...said }
  return useAction<ConnectionCheck, SettingsInput>(`/settings/${providerId}/check`, action)
}

/** With what is saved: the checklist's first line. */
export function useSavedConnection(providerId: string, configured: boolean) {
  return useQuery({
    queryKey: ["crypto-connection", providerId, configured],
    queryFn: async () => await post<ConnectionCheck>(`/settings/${providerId}/check`, {}),
    ...JUST_NOW,
    retry: false,
  })
}

export function useWebhookSelfTest(providerId: string) {
  return useAction<WebhookCheck>(`/settings/${providerId}/webhook-check`, { changes: [HEALTH] })
}

/** A form, for its fields. */
export type SettingsForm = ReturnType<typeof useSettingsForm>

/** A form of settings: what is typed, what of it is wrong, and a test of the connection with it. */
export function useSettingsForm(settings: CryptoSettings, onSaved: () => void) {
  const t = useWords()
  const saving = useSettingsSave(settings, onSaved)
  const test = useTestConnection(settings.provider_id, { failed: saving.refuse })
  const [start] = useState(() => ({ typed: typedFrom(settings), headers: headersFrom(settings) }))
  const [content, setContent] = useState(start)
  /** A verdict on other values would mislead. */
  const change = (changed: (before: typeof start) => typeof start) => {
    test.reset()
    setContent(changed)
  }
  const type = (name: string, value: string | boolean) =>
    change((before) => ({ ...before, typed: { ...before.typed, [name]: value } }))
  const setHeaders = (headers: TypedHeader[]) => change((before) => ({ ...before, headers }))
  /** Submits the form, unless a number field contains something else. */
  const withNumbers = (names: readonly string[], run: () => void) => {
    const wrong = notWhole(names, content.typed)
    saving.setErrors(Object.fromEntries(wrong.map((name) => [name, t("settings.errors.notWhole")])))
    if (wrong.length === 0) {
      run()
    }
  }
  const isChanged = JSON.stringify(content) !== JSON.stringify(start)
  return { ...saving, ...content, settings, test, type, setHeaders, withNumbers, isChanged }
}

interface Saved {
  settings: CryptoSettings
  warnings: SettingsWarning[]
}

/** Saves settings, asks whose open payments are if the API requires it, and shows errors next to the fields. */
export function useSettingsSave(settings: CryptoSettings, onSaved: () => void) {
  const t = useWords()
  const client = useQueryClient()
  const formToast = useFormToast()
  /** What is wrong, by the name of the setting. */
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const [question, setQuestion] = useState<{ input: SaveSettings; asked: FormerOrigin } | null>(null)
  const { mutateAsync, isPending } = useAction<Saved, SaveSettings>(`/settings/${settings.provider_id}`, {
    // The form closes when they are read again: opened at once, it begins with what was saved.
    onSuccess: async () => await client.invalidateQueries({ queryKey: [SETTINGS] }),
    // Also when it failed: somebody else may have saved, and who closes the form wants to see what.
    changes: [SETTINGS, HEALTH, ...OF_GATEWAY],
  })
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
      if (error instanceof AdminApiError && error.body.code === "origin_change_unconfirmed") {
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
  const words = warnings.map(({ code, hosts }) => t(`settings.warning.${code}`, { hosts: hosts.join(", ") }))
  return words.join(" ")
}

const KNOWN = ["invalid", "secrets_required", "origin_not_allowed", "stale_version"]

/** The error as one sentence in the reader's language, where there is one. */
export function problemWords(error: Error, t: Words): string {
  const { code = "", fields = [], state = "missing" } = error instanceof AdminApiError ? error.body : {}
  if (code === "encryption_key") {
    return t(`settings.encryption.${state}`)
  }
  if (code === "locked") {
    return t("settings.lockedHint")
  }
  const isKnown = KNOWN.includes(code) && (code !== "invalid" || fields.length > 0)
  return isKnown ? t(`settings.errors.${code}`, { fields: settingNames(fields, t) }) : apiMessage(error, t)
}

function fieldErrors(error: Error, t: Words): Record<string, string> {
  const { code, fields = [] } = error instanceof AdminApiError ? error.body : {}
  const words = (name: string) => {
    switch (code) {
      case "secrets_required":
        return t("settings.fields.secret_again")
      case "invalid":
        return `${t("settings.errors.notUsable")} ${settingHint(name, t)}`.trim()
      default:
        return problemWords(error, t)
    }
  }
  return Object.fromEntries(fields.map((name) => [name, words(name)]))
}
