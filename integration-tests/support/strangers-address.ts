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
  const { asAdmin } = store
  await asAdmin.post("/crypto-payments/settings/pp_crypto_default/check")
  await asAdmin.get("/crypto-payments/balances")
  await asAdmin.get("/crypto-payments/gateway-requests")
  await settleDue(store)
  const shopper = store.shopper()
  const { status } = await shopper.openSession(await shopper.collection(await shopper.cart()))
  return status
}
