import type { StoreUnderTest } from "./store-under-test"

type Shop = Pick<StoreUnderTest, "http" | "seeded">

/** The headers of a new customer account that has nothing to do with anybody's order. */
async function strangerHeaders(store: Shop, email = "stranger@example.test"): Promise<object> {
  const shop = { "x-publishable-api-key": store.seeded.publishableKey }
  const credentials = { email, password: "a stranger's password" }
  const registered = await store.http.post("/auth/customer/emailpass/register", credentials)
  await store.http.post(
    "/store/customers",
    { email },
    { headers: { ...shop, authorization: `Bearer ${String(registered.data.token)}` } }
  )
  const loggedIn = await store.http.post("/auth/customer/emailpass", credentials)
  return { ...shop, authorization: `Bearer ${String(loggedIn.data.token)}` }
}

/** A customer asks for an order to be transferred to their account, which needs nothing but its id. */
export async function requestTransfer(store: Shop, orderId: string): Promise<void> {
  const { status, data } = await store.http.post(
    `/store/orders/${orderId}/transfer/request`,
    {},
    { headers: { ...(await strangerHeaders(store)) } }
  )
  if (status !== 200) {
    throw new Error(`the transfer was not requested: ${JSON.stringify(data)}`)
  }
}
