import { toast } from "@medusajs/ui"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type * as Api from "../../http-contract"
import { apiMessage, bodyOf, post } from "../shared/admin-api"
import { HEALTH, JUST_NOW, useAction, useRead } from "../shared/queries"
import { t } from "../shared/words"
import { headerOfSecret } from "../../modules/crypto-payments/settings/names"
import * as setting from "./setting-fields"

const SETTINGS = "crypto-payment-settings"

/** Always up to date, like the whole checklist: the dashboard would show what it read a minute ago. */
export const useSettings = () => useRead<Api.AllSettings>(SETTINGS, "/settings", {}, { staleTime: 0 })

/** Read again every minute: a page that is left open shows new cases. */
export const useHealth = () =>
  useRead<Api.Health>(HEALTH, "/health", {}, { staleTime: 0, refetchInterval: 60_000 })

export const useSavedConnection = (providerId: string, configured: boolean) =>
  useQuery({
    queryKey: ["crypto-connection", providerId, configured],
    queryFn: async () => await post<Api.ConnectionCheck>(`/settings/${providerId}/check`, {}),
    ...JUST_NOW,
    retry: false,
  })

/** What the settings page says of a connection that does not work: it is the page where the settings are entered. */
export const connectionWords = (problem: Api.ConnectionCheck["problem"]): string =>
  t(problem === "not_configured" ? "settings.checklist.connectionTodo" : `problems.${problem}`)

/** With the store's address as this page uses it, if no other is known: very likely the gateway can reach it too. */
export function webhookAddress({ webhook_url, webhook_path }: Api.CryptoSettings) {
  const backend = new URL(__BACKEND_URL__ ?? "", window.location.origin).href.replace(/\/+$/, "")
  return { backend, address: webhook_url ?? backend + webhook_path }
}

export const KEY_COMMAND = "openssl rand -base64 32"

export type SettingsForm = ReturnType<typeof useForm>

export function useForm(part: setting.Part, settings: Api.CryptoSettings, onSaved: () => void) {
  const { save, error, ...saving } = useSave(settings, onSaved)
  const path = `/settings/${settings.provider_id}/check`
  const test = useAction<Api.ConnectionCheck, Api.SettingsInput>(path, {})
  const start = setting.typedFrom(settings)
  const [typed, setTyped] = useState(start)
  const [sent, setSent] = useState(start)
  const type = (name: string, value: setting.TypedValue) => {
    // A result for other values would mislead.
    test.reset()
    setTyped((before) => ({ ...before, [name]: value }))
  }
  const names = setting.namesOf(part, settings, typed)
  const input = () => setting.changedSettings(typed, settings)
  const submit = () => {
    test.reset()
    setSent(typed)
    save(input())
  }
  const tryOut = () => test.mutate(input())
  const isChanged = JSON.stringify(typed) !== JSON.stringify(start)
  // An error is of the value that was sent, not of the next one; a test's answer is gone by then.
  const keyOf = (name: string) => (headerOfSecret(name) === undefined ? name : "auth.headers")
  const isAsSent = (name: string) => typed[keyOf(name)] === sent[keyOf(name)]
  const ofSave = fieldErrors(error, isAsSent)
  const isSaid = Object.keys(ofSave).length > 0 || !bodyOf(error).fields?.length
  const problem = error && isSaid && !saving.originQuestion ? problemWords(error) : undefined
  const errors = test.error ? fieldErrors(test.error) : ofSave
  const drawer = { isSubmitting: saving.isPending, isChanged, problem, onSubmit: submit }
  return { ...saving, drawer, problem, errors, names, typed, settings, test, type, tryOut }
}

/** Asks about open payments if it has to. @param onSaved of a form, which says itself what was wrong */
export function useSave(settings: Api.CryptoSettings, onSaved?: () => void) {
  const client = useQueryClient()
  const { mutate, reset, error, variables, isPending } = useAction<unknown, Api.SaveSettings>(
    `/settings/${settings.provider_id}`,
    {
      onSuccess: async () => {
        // The form closes after they are read again: if it is opened at once, it begins with what was saved.
        await client.invalidateQueries({ queryKey: [SETTINGS] })
        toast.success(t("settings.saved"))
        onSaved?.()
      },
      failed: (refused) => {
        if (onSaved === undefined) {
          toast.error(t("settings.saveFailed"), { description: problemWords(refused) })
        }
      },
      // After a failure too: somebody else may have saved. With other settings the gateway may answer otherwise.
      changes: [SETTINGS, HEALTH, "crypto-connection", "crypto-balances"],
    }
  )
  const save = (input: Omit<Api.SaveSettings, "version">) => mutate({ ...input, version: settings.version })
  const { code, former_origin: origin = "", open_requests = 0 } = bodyOf(error)
  const originQuestion = code === "origin_change_unconfirmed" && {
    asked: { origin, open_requests },
    onCancel: reset,
    onAnswer: (same_account: boolean) =>
      variables && mutate({ ...variables, confirm_origin_change: true, same_account }),
  }
  return { save, error, isPending, originQuestion }
}

export function problemWords(error: Error | null): string {
  const { code = "", state = "missing", smallest, largest, fields = [] } = bodyOf(error)
  if (code === "encryption_key") {
    const words = t(`settings.encryption.${state}`)
    return state === "wrong" ? words : `${words} ${KEY_COMMAND}`
  }
  const other = error ? apiMessage(error) : ""
  const named = { fields: setting.settingNames(fields), smallest, largest, defaultValue: other }
  return code === "invalid" && fields.length === 0 ? other : t(`settings.errors.${code}`, named)
}

/** The problem says what is wrong, and a field only what it takes: of limits that cross, each takes its own. */
function fieldErrors(error: Error | null, isAsSent = (_name: string) => true) {
  const { code, fields = [] } = bodyOf(error)
  const isOfAddress = code === "secrets_required"
  const isOfLimits = code === "limits_crossed"
  // A change of one of these is an answer to all.
  const related = isOfAddress ? ["base_url"] : isOfLimits ? fields : []
  const left = related.every(isAsSent) ? fields.filter(isAsSent) : []
  const hintOf = isOfAddress ? () => t("settings.fields.secret_again") : setting.settingHint
  const errors = left.map((name) => [name, isOfLimits ? "" : hintOf(name) || t("settings.errors.notUsable")])
  return Object.fromEntries(errors) as Partial<Record<string, string>>
}
