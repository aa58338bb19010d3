import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useId } from "react"
import type {
  ConnectionCheck,
  CryptoSettings,
  EncryptionKeyState,
  Health,
  SaveSettings,
  SettingsInput,
  SettingsWarning,
  WebhookCheck,
} from "../../http-contract"
import { post } from "../shared/admin-api"
import { JUST_NOW, useAction, useRead } from "../shared/queries"

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

/** Ids of the registered providers, first the one a page shows when none is chosen. */
export function useProviderIds(): string[] | undefined {
  return useHealth().data?.providers.map(({ provider_id }) => provider_id)
}

interface Saved {
  settings: CryptoSettings
  warnings: SettingsWarning[]
}

export function useSaveSettings(providerId: string) {
  const client = useQueryClient()
  return useAction({
    mutationKey: [SETTINGS, "save", providerId],
    mutationFn: async (input: SaveSettings) => await post<Saved>(`/settings/${providerId}`, input),
    // The form closes when they are read again: opened at once, it begins with what was saved.
    onSuccess: async () => await client.invalidateQueries({ queryKey: [SETTINGS] }),
    // Also when it failed: somebody else may have saved, and who closes the form wants to see what.
    changes: [SETTINGS, HEALTH, ...OF_GATEWAY],
  })
}

/** With the values of a form before they are saved. */
export function useTestConnection(providerId: string) {
  return useAction({
    // Each place shows the answer to its own question.
    mutationKey: [SETTINGS, "check", providerId, useId()],
    mutationFn: async (input: SettingsInput) =>
      await post<ConnectionCheck>(`/settings/${providerId}/check`, input),
  })
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
  return useAction({
    mutationKey: [SETTINGS, "webhook-check", providerId],
    mutationFn: async () => await post<WebhookCheck>(`/settings/${providerId}/webhook-check`),
    changes: [HEALTH],
  })
}
