import type { AxiosResponse } from "axios"
import { startServer } from "./http-server"
import { settleDue } from "./settle-due"
import type { StoreUnderTest } from "./store-under-test"

export type StrangersAddress = Awaited<ReturnType<typeof startStranger>>

/** A server that nobody gave secrets for. It writes down the paths of what is sent to it. */
export async function startStranger() {
  const heard: string[] = []
  const { url, close } = await startServer((request, _, response) => {
    heard.push(String(request.url))
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ data: [], successful: true }))
  })
  return { baseUrl: `${url}/v1`, heard, close }
}

/** Does everything that sends something to the gateway. @returns how opening a payment was answered */
export async function callGateway(store: StoreUnderTest): Promise<number> {
  const admin = await store.admin()
  await store.http.post("/admin/crypto-payments/settings/pp_crypto_default/check", {}, admin)
  await store.http.get("/admin/crypto-payments/balances", admin)
  await store.http.get("/admin/crypto-payments/gateway-requests", admin)
  await settleDue(store)
  const shopper = store.shopper()
  const { status } = await shopper.openSession(await shopper.collection(await shopper.cart()))
  return status
}

/** The settings' routes, as an admin user. */
export function settingsDesk(store: StoreUnderTest) {
  const own = "/settings/pp_crypto_default"
  const base = "/admin/crypto-payments"
  return {
    get: async (path = own): Promise<AxiosResponse> =>
      await store.http.get(`${base}${path}`, await store.admin()),
    post: async (body: unknown, path = ""): Promise<AxiosResponse> =>
      await store.http.post(`${base}${own}${path}`, body, await store.admin()),
  }
}
