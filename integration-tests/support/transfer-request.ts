import type { AxiosResponse } from "axios"
import { expectOk } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"

/** A customer, who has nothing to do with it, asks for an order to be transferred to their account: its id is enough. */
export async function requestTransfer(store: Pick<StoreUnderTest, "http" | "seeded">, orderId: string) {
  const { http, seeded } = store
  const email = "stranger@example.test"
  const credentials = { email, password: "a stranger's password" }
  const as = ({ data }: AxiosResponse<{ token: string }>) => ({
    headers: { "x-publishable-api-key": seeded.publishableKey, authorization: `Bearer ${data.token}` },
  })
  const registered = await http.post("/auth/customer/emailpass/register", credentials)
  await http.post("/store/customers", { email }, as(registered))
  const loggedIn = await http.post("/auth/customer/emailpass", credentials)
  const path = `/store/orders/${orderId}/transfer/request`
  expectOk(path, await http.post(path, {}, as(loggedIn)))
}
