import axios from "axios"
import { UNPAID_ORDER_TTL_MINUTES, type Shop } from "../crash-matrix/shop"
import type { StoreProcess } from "../crash-matrix/store-process"
import type { Stage } from "./store-order"

const STOCK = 1_000_000

/** One process of the store for all stories. Its orders may be placed unpaid, and its schedule runs when it is told to. */
export async function openStage(shop: Shop): Promise<Stage> {
  const at = await shop.boot("before_payment")
  const strangerId = await registerStranger(shop, at)
  // What is tested is money: nothing is ever sold out.
  await shop.knex("inventory_level").update({
    stocked_quantity: STOCK,
    raw_stocked_quantity: { value: String(STOCK), precision: 20 },
  })
  return { shop, at, admin: shop.admin(at), strangerId }
}

/** After that an unpaid order is to be cancelled. */
export const EXPIRES_AFTER_MINUTES = UNPAID_ORDER_TTL_MINUTES

/** A customer with an account. */
async function registerStranger({ seeded }: Shop, { url }: StoreProcess): Promise<string> {
  const http = axios.create({ baseURL: url })
  const account = { email: "stranger@example.test", password: "model-stranger" }
  const { data } = await http.post<{ token: string }>("/auth/customer/emailpass/register", account)
  const headers = {
    authorization: `Bearer ${data.token}`,
    "x-publishable-api-key": seeded.publishableKey,
  }
  const created = await http.post("/store/customers", { email: account.email }, { headers })
  return created.data.customer.id as string
}
