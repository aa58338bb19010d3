import { addressBelow } from "./public-address"

/** The path of a provider's webhook, and its whole address when the store's public one is known. */
export function webhookOf(providerId: string, publicUrl: string | null) {
  const path = `/hooks/payment/${providerId.replace(/^pp_/, "")}`
  return { path, url: publicUrl && addressBelow(publicUrl, path) }
}
