/** The path of a provider's webhook, and its whole address when the store's public one is known. */
export function webhookOf(providerId: string, publicUrl: string | null) {
  const path = `/hooks/payment/${providerId.replace(/^pp_/, "")}`
  const store = publicUrl === null ? null : new URL(publicUrl)
  return { path, url: store && `${store.origin}${store.pathname.replace(/\/+$/, "")}${path}` }
}
