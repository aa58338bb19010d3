import { press } from "./payer.mjs"
import { choosePayment, fillCart, SHOPPERS } from "./shopper.mjs"

/** The buttons of the sandbox's page with which a payer does not pay what the cart asks for. */
const WRONG = ["too_little", "too_much", "other_currency", "part"]

/**
 * Pays in each way that leaves the merchant a case at once: by the page's buttons, twice for one cart, for a cart that
 * costs more by now, for one that is sold out, and for orders that staff have changed. All other cases say that something
 * has lasted for long.
 *
 * @param {import("./http.mjs").HttpClient} store
 * @param {import("./http.mjs").HttpClient} admin
 * @param {import("./store.mjs").Seeded} seeded
 * @param {AbortSignal} signal
 */
export async function makeCases(store, admin, seeded, signal) {
  let guests = 0
  const openLink = async (variantId = seeded.variantId) => {
    const email = `guest-${String(++guests)}@example.test`
    const { id } = await fillCart(store, { ...seeded, variantId }, { ...SHOPPERS.sam, email })
    return { cartId: id, link: await choosePayment(store, id) }
  }
  for (const button of WRONG) {
    await press((await openLink()).link, button, signal)
  }
  const twice = await openLink()
  await store.post(`/store/carts/${twice.cartId}`, { email: "corrected@example.test" })
  await press(await choosePayment(store, twice.cartId), "pay", signal)
  await press(twice.link, "pay", signal)
  const dearer = await openLink()
  const items = { variant_id: seeded.variantId, quantity: 1 }
  await store.post(`/store/carts/${dearer.cartId}/line-items`, items)
  await press(dearer.link, "pay", signal)
  const soldOut = await openLink(seeded.variantIds[1])
  const { inventory_items: found } = await admin.get("/admin/inventory-items?sku=COFFEE-GROUND")
  const level = `${found[0].id}/location-levels/${seeded.stockLocationId}`
  await admin.post(`/admin/inventory-items/${level}`, { stocked_quantity: 0 })
  await press(soldOut.link, "pay", signal)
  await payChangedOrders(admin, seeded, signal)
}

/**
 * Staff make an order and give its link to a customer, who pays it after the order has got dearer, cheaper or cancelled.
 *
 * @param {import("./http.mjs").HttpClient} admin
 * @param {import("./store.mjs").Seeded} seeded
 * @param {AbortSignal} signal
 */
async function payChangedOrders(admin, { regions, salesChannelId, variantId }, signal) {
  /** @param {number} quantity */
  const edit = (quantity) => async (/** @type {string} */ order_id) => {
    const { order } = await admin.get(`/admin/orders/${order_id}?fields=items.id`)
    await admin.post("/admin/order-edits", { order_id })
    await admin.post(`/admin/order-edits/${order_id}/items/item/${order.items[0].id}`, { quantity })
    await admin.post(`/admin/order-edits/${order_id}/confirm`)
  }
  const cancel = async (/** @type {string} */ id) => await admin.post(`/admin/orders/${id}/cancel`)
  for (const change of [edit(3), edit(1), cancel]) {
    const { draft_order } = await admin.post("/admin/draft-orders", {
      email: "phone@example.test",
      region_id: regions.usd,
      sales_channel_id: salesChannelId,
      items: [{ variant_id: variantId, quantity: 2 }],
    })
    await admin.post(`/admin/draft-orders/${draft_order.id}/convert-to-order`)
    const { payment_link } = await admin.post(`/admin/crypto-payments/orders/${draft_order.id}/payment-link`)
    await change(draft_order.id)
    await press(payment_link, "pay", signal)
  }
}
