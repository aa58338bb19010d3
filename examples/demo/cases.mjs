import { setTimeout as sleep } from "node:timers/promises"

import { DemoProblem } from "./demo-problem.mjs"
import { makeLastingCases } from "./lasting-cases.mjs"
import { press } from "./payer.mjs"
import { say, step } from "./progress.mjs"
import { choosePayment, openLink } from "./shopper.mjs"

/** The buttons of the sandbox's page with which a payer does not pay what the cart asks for. */
const WRONG = ["too_little", "too_much", "other_currency"]
const POLL_MS = 100
const TIMEOUT_MS = 60_000

/**
 * Leaves a case of every kind, and refuses to go on without one of them.
 *
 * @param {import("./set-up.mjs").Setting} setting
 * @param {import("./http.mjs").HttpClient} store
 * @param {import("./http.mjs").HttpClient} admin
 * @param {AbortSignal} signal
 */
export async function leaveCases(setting, store, admin, signal) {
  await step("Pay too little, too much, in another currency, twice, or for what has changed", () =>
    makeCases(store, admin, setting.seeded, signal)
  )
  await step(
    "Let an unpaid order, a part, bad answers and a fault last: move their times two days back",
    () => makeLastingCases(setting, store, admin, signal)
  )
  const reasons = await step("Wait for a case of every kind", () => requireEveryKind(admin, signal))
  const counts = Object.values(reasons)
  const sum = counts.reduce((total, count) => total + count, 0)
  say(`  Cases: ${String(counts.length)} kinds, ${String(sum)} cases`)
  say(
    `  ${Object.entries(reasons)
      .map(([reason, count]) => `${reason} ${String(count)}`)
      .join(", ")}`
  )
}

/**
 * @param {import("./http.mjs").HttpClient} admin
 * @param {AbortSignal} signal
 * @returns {Promise<Record<string, number>>} how many cases are open, by reason
 */
async function requireEveryKind(admin, signal) {
  // Built by the first step, so it cannot be imported before.
  const { ATTENTION_REASONS } = await import("../../.medusa/server/src/decision/attention.js")
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const { by_reason } = (await admin.get("/admin/crypto-payments/health")).attention
    const missing = ATTENTION_REASONS.filter((reason) => by_reason[reason] === undefined)
    if (missing.length === 0) {
      return by_reason
    }
    if (Date.now() > deadline) {
      throw new DemoProblem(
        `No case of ${missing.join(", ")} after ${String(TIMEOUT_MS / 1000)} s. See .demo/logs/store.log`
      )
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

/**
 * Pays in each way that leaves the merchant a case at once: by the page's buttons, twice for one cart, for a cart that
 * costs more by now, for one that is sold out, and for orders that staff have changed.
 *
 * @param {import("./http.mjs").HttpClient} store
 * @param {import("./http.mjs").HttpClient} admin
 * @param {import("./store.mjs").Seeded} seeded
 * @param {AbortSignal} signal
 */
async function makeCases(store, admin, seeded, signal) {
  const open = (variantId = seeded.variantId) => openLink(store, seeded, variantId)
  for (const button of WRONG) {
    await press((await open()).link, button, signal)
  }
  const twice = await open()
  await store.post(`/store/carts/${twice.cartId}`, { email: "corrected@example.test" })
  await press(await choosePayment(store, twice.cartId), "pay", signal)
  await press(twice.link, "pay", signal)
  const dearer = await open()
  const items = { variant_id: seeded.variantId, quantity: 1 }
  await store.post(`/store/carts/${dearer.cartId}/line-items`, items)
  await press(dearer.link, "pay", signal)
  const soldOut = await open(seeded.variantIds[1])
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
  /** @param {string} region_id */
  const makeDraft = async (region_id) => {
    const items = [{ variant_id: variantId, quantity: 2 }]
    const order = { email: "phone@example.test", region_id, sales_channel_id: salesChannelId, items }
    return (await admin.post("/admin/draft-orders", order)).draft_order.id
  }
  for (const change of [edit(3), edit(1), cancel]) {
    const id = await makeDraft(regions.usd)
    await admin.post(`/admin/draft-orders/${id}/convert-to-order`)
    const { payment_link } = await admin.post(`/admin/crypto-payments/orders/${id}/payment-link`)
    await change(id)
    await press(payment_link, "pay", signal)
  }
  // What was paid in the other currency can be used for this one.
  await makeDraft(regions.aed)
}
