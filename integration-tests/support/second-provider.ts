import type { StoreUnderTest } from "./store-under-test"

export const FIRST = "pp_crypto_default"
export const SECOND = "pp_crypto_second"

/** Both providers are offered wherever the first one is. */
export async function offerBoth(store: StoreUnderTest): Promise<void> {
  const body = { payment_providers: [FIRST, SECOND] }
  const { status } = await store.asAdmin.post(`/regions/${store.seeded.regions.usd}`, body)
  expect(status).toBe(200)
}

export async function notifyAt(store: StoreUnderTest, provider: "default" | "second", body: string) {
  const url = store.webhookUrl.replace("crypto_default", `crypto_${provider}`)
  return (await fetch(url, { method: "POST", body })).status
}
