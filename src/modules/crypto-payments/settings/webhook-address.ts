/** The path of a provider's webhook, and its whole address when the store's public one is known. */
export function webhookOf(providerId: string, publicUrl: string | null) {
  const path = `/hooks/payment/${providerId.replace(/^pp_/, "")}`
  return { path, url: publicUrl && addressBelow(publicUrl, path) }
}

/** A path of the store, below its public address. That may have a path of its own, as behind a proxy. */
export function addressBelow(publicUrl: string, path: string): string {
  const store = new URL(publicUrl)
  return `${store.origin}${store.pathname.replace(/\/+$/, "")}${path}`
}
