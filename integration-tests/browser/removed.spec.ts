import axios from "axios"
import { adminOf } from "../support/admin-api"
import { PAID_OK, readEndState, type EndState } from "../support/end-state"
import { Shopper } from "../support/shopper"
import { waitUntil } from "../support/wait-until"
import { StoreFromOutside } from "./support/store"
import { withConfig } from "./support/store-process"

/** As docs/deployment.md says: the plugin, its provider and its `dependencies` leave medusa-config. */
const WITHOUT_PLUGIN = `
config.plugins = config.plugins.filter(({ resolve }) => resolve !== "medusa-payment-crypto")
const { options, dependencies, ...payment } = config.modules.payment
config.modules.payment = { ...payment, options: { ...options, providers: [] } }`

const OFFERED = ["pp_crypto_default", "pp_system_default"]

/** What docs/deployment.md, "Remove the plugin", says of Medusa without it. */
describe("a store whose plugin was removed", () => {
  const store = new StoreFromOutside()
  const offer = async (payment_providers: string[]): Promise<void> => {
    const { status } = await store.asAdmin.post(`/regions/${store.seeded.regions.usd}`, { payment_providers })
    expect(status).toBe(200)
  }
  afterAll(async () => {
    await offer(OFFERED)
    await store.close()
  })

  it("does not offer it, can refund nothing, and knows all of it again when the plugin is back", async () => {
    const { shopper, gateway, knex } = store
    const paid = await shopper.checkout()
    await gateway.pay(paid.session.data.payment_request_id, { notify: true })
    const isSettled = ({ ledger }: EndState): boolean => ledger.some(({ settled }) => settled)
    await waitUntil(async () => await readEndState(knex, paid.cartId), isSettled)
    const open = await shopper.checkout()
    const { order_id: orderId } = await knex("order_cart").where({ cart_id: paid.cartId }).first("order_id")
    await offer(["pp_system_default"])

    await withConfig(WITHOUT_PLUGIN, async (url) => {
      const http = axios.create({ baseURL: url, validateStatus: () => true })
      const [bare, admin] = [new Shopper(http, store.seeded), adminOf({ http, seeded: store.seeded })]
      const listed = await bare.get(`/payment-providers?region_id=${store.seeded.regions.usd}`)
      expect(listed.data.payment_providers).toMatchObject([{ id: "pp_system_default" }])
      const payment = await knex("payment").where({ payment_session_id: paid.session.id }).first("id")
      expect((await admin.post(`/payments/${String(payment.id)}/refund`, { amount: 5 })).status).toBe(500)
      const items = `/carts/${open.cartId}/line-items`
      const item = await knex("cart_line_item").where({ cart_id: open.cartId }).first("id")
      expect((await bare.post(`${items}/${String(item.id)}`, { quantity: 2 })).status).toBe(500)
      expect((await admin.post(`/orders/${String(orderId)}/cancel`)).status).toBe(200)
      await gateway.pay(open.session.data.payment_request_id)
    })
    // Nobody has sent this money back.
    expect((await readEndState(knex, paid.cartId)).transactions).toEqual(["20.01", "-20.01"])

    await offer(OFFERED)
    await knex("crypto_payment_request")
      .where({ cart_id: open.cartId })
      .update({ next_check_at: new Date(0) })
    await store.runSchedule()
    expect(await readEndState(knex, open.cartId)).toEqual(PAID_OK)
    expect((await readEndState(knex, paid.cartId)).ledger).toMatchObject([{ attention: "paid_on_canceled" }])
  })
})
