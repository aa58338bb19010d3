import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useId } from "react"
import { get, post } from "../shared/admin-api"
import { JUST_NOW, useAction } from "../shared/queries"
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

const SETTINGS = ["crypto-payment-settings"]
const HEALTH = ["crypto-payment-health"]

export interface AllSettings {
  settings: CryptoSettings[]
  encryption_key: EncryptionKeyState
}

/** As they are now, like everything the checklist says: the dashboard would show what it read a minute ago. */
export function useSettings() {
  return useQuery({
    queryKey: SETTINGS,
    queryFn: async () => await get<AllSettings>("/settings"),
    staleTime: 0,
  })
}

export function useHealth() {
  return useQuery({ queryKey: HEALTH, queryFn: async () => await get<Health>("/health"), staleTime: 0 })
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
    mutationKey: [...SETTINGS, "save", providerId],
    mutationFn: async (input: SaveSettings) => await post<Saved>(`/settings/${providerId}`, input),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: SETTINGS })
      await client.invalidateQueries({ queryKey: HEALTH })
      // The checklist and the balances ask the gateway; with other settings it may answer otherwise.
      await client.invalidateQueries({ queryKey: ["crypto-connection"] })
      await client.invalidateQueries({ queryKey: ["crypto-balances"] })
    },
    // Somebody else may have saved; who closes the form wants to see what.
    onError: () => void client.invalidateQueries({ queryKey: SETTINGS }),
  })
}

/** With the values of a form before they are saved. */
export function useTestConnection(providerId: string) {
  return useAction({
    // Each place shows the answer to its own question.
    mutationKey: [...SETTINGS, "check", providerId, useId()],
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
  const client = useQueryClient()
  return useAction({
    mutationKey: [...SETTINGS, "webhook-check", providerId],
    mutationFn: async () => await post<WebhookCheck>(`/settings/${providerId}/webhook-check`),
    onSuccess: async () => await client.invalidateQueries({ queryKey: HEALTH }),
  })
}
