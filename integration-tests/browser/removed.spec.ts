import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import axios from "axios"
import { adminOf } from "../support/admin-api"
import { BUILT_STORE } from "../support/cluster/paths"
import { PAID_OK, readEndState } from "../support/end-state"
import { Shopper } from "../support/shopper"
import { waitUntil } from "../support/wait-until"
import { StoreFromOutside } from "./support/store"
import { withStoreProcess } from "./support/store-process"

/** As docs/deployment.md says: the plugin, its provider and its `dependencies` leave medusa-config. */
const WITHOUT_PLUGIN = `
const config = require("../server/medusa-config.js")
config.plugins = config.plugins.filter(({ resolve }) => resolve !== "medusa-payment-crypto")
const { options, dependencies, ...payment } = config.modules.payment
config.modules.payment = { ...payment, options: { ...options, providers: [] } }
module.exports = config
`

async function withoutPlugin(use: (url: string) => Promise<void>): Promise<void> {
  const folder = join(BUILT_STORE, "../without-plugin")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const name of ["src", "public", "package.json"]) {
    symlinkSync(join(BUILT_STORE, name), join(folder, name))
  }
  writeFileSync(join(folder, "medusa-config.js"), WITHOUT_PLUGIN)
  try {
    await withStoreProcess({}, use, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("a store whose plugin was removed", () => {
  const store = new StoreFromOutside()
  afterAll(async () => {
    await store.close()
  })

  it("says what is left", async () => {
    const { shopper, gateway, knex, asAdmin } = store
    const paid = await shopper.checkout()
    await gateway.pay(paid.session.data.payment_request_id, { notify: true })
    await waitUntil(
      async () => await readEndState(knex, paid.cartId),
      ({ ledger }) => ledger.some(({ settled }) => settled)
    )
    const open = await shopper.checkout()
    const { order_id: orderId } = await knex("order_cart").where({ cart_id: paid.cartId }).first("order_id")
    await withoutPlugin(async (url) => {
      const http = axios.create({ baseURL: url, validateStatus: () => true })
      const bare = { http, seeded: store.seeded }
      const bareShopper = new Shopper(http, store.seeded)
      const region = store.seeded.regions.usd
      const listed = await bareShopper.get(`/payment-providers?region_id=${region}`)
      console.log("LISTED", JSON.stringify(listed.data))
      const cart = await bareShopper.cart({ email: "another@example.test" })
      const opened = await bareShopper.openSession(await bareShopper.collection(cart))
      console.log("OPENED", opened.status, JSON.stringify(opened.data))
      const admin = adminOf(bare)
      const order = await admin.get(`/orders/${orderId}?fields=*payment_collections.payments,summary`)
      const payment = order.data.order.payment_collections[0].payments[0]
      const refunded = await admin.post(`/payments/${payment.id}/refund`, { amount: 5 })
      console.log("REFUND", refunded.status, JSON.stringify(refunded.data).slice(0, 300))
      const canceled = await admin.post(`/orders/${orderId}/cancel`)
      console.log("CANCEL", canceled.status, JSON.stringify(canceled.data).slice(0, 200))
      console.log("STATE", JSON.stringify(await readEndState(knex, paid.cartId)))
      const change = await bareShopper.get(`/carts/${open.cartId}?fields=id,*items`)
      const line = change.data.cart.items[0].id
      const changed = await bareShopper.post(`/carts/${open.cartId}/line-items/${line}`, { quantity: 2 })
      console.log("CHANGE", changed.status, JSON.stringify(changed.data).slice(0, 300))
      const notified = await http.post("/hooks/payment/crypto_default", {})
      console.log("HOOK", notified.status)
    })
    await gateway.pay(open.session.data.payment_request_id)
    await store.runSchedule()
    console.log("BACK", JSON.stringify(await readEndState(knex, open.cartId)))
    console.log("BACK", JSON.stringify(await readEndState(knex, paid.cartId)))
    const cases = await asAdmin.get("/crypto-payments?attention=true")
    console.log(JSON.stringify(cases.data).slice(0, 1500))
    expect(PAID_OK).toBeDefined()
  })
})
