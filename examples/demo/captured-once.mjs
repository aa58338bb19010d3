import { setTimeout as sleep } from "node:timers/promises"

import { DemoProblem } from "./demo-problem.mjs"
import { httpClient } from "./http.mjs"

const POLL_MS = 100
const TIMEOUT_MS = 60_000

/**
 * @param {string} storeUrl
 * @param {{email: string, password: string}} admin
 * @param {AbortSignal} signal
 */
export async function logIn(storeUrl, admin, signal) {
  const { token } = await httpClient(storeUrl, {}, signal).post("/auth/user/emailpass", admin)
  return httpClient(storeUrl, { authorization: `Bearer ${token}` }, signal)
}

const FIELDS = [
  "id",
  "display_id",
  "total",
  "payment_collections.status",
  "payment_collections.captured_amount",
  "payment_collections.payments.captured_at",
  "payment_collections.payments.canceled_at",
  "payment_collections.payments.captures.amount",
  "payment_collections.payments.refunds.amount",
].join(",")

/**
 * What the admin API shows of a shopper's orders and money, in a form that compares.
 *
 * @param {import("./http.mjs").HttpClient} admin
 * @param {string} email
 */
async function readFacts(admin, email) {
  const { orders } = await admin.get(`/admin/orders?q=${encodeURIComponent(email)}&fields=${FIELDS}`)
  /** @type {any[]} */
  const collections = orders.flatMap((/** @type {any} */ order) => order.payment_collections)
  const payments = collections.flatMap((collection) => collection.payments)
  return {
    orders: orders.map((/** @type {any} */ { total }) => total),
    collections: collections.map(({ status, captured_amount }) => [status, captured_amount]),
    payments: payments.map(({ captured_at, canceled_at }) => [captured_at !== null, canceled_at]),
    captures: payments.flatMap(({ captures }) => captures.map((/** @type {any} */ { amount }) => amount)),
    refunds: payments.flatMap(({ refunds }) => refunds.length).reduce((sum, count) => sum + count, 0),
  }
}

/**
 * Refuses anything but one order, paid by one payment, captured once and in full.
 *
 * Asked for repeatedly, as core is still writing when the order becomes visible.
 *
 * @param {import("./http.mjs").HttpClient} admin
 * @param {import("./shopper.mjs").Shopper} shopper
 * @param {AbortSignal} signal
 * @returns {Promise<number>} the captured amount
 */
export async function requireCapturedOnce(admin, { email, total }, signal) {
  const wanted = JSON.stringify({
    orders: [total],
    collections: [["completed", total]],
    payments: [[true, null]],
    captures: [total],
    refunds: 0,
  })
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const facts = await readFacts(admin, email)
    if (JSON.stringify(facts) === wanted) {
      return total
    }
    if (Date.now() > deadline) {
      const found = JSON.stringify(facts)
      throw new DemoProblem(`The order is not captured exactly once.\n  wanted ${wanted}\n  found  ${found}`)
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

/**
 * @param {import("./http.mjs").HttpClient} admin
 * @param {string} orderId
 * @returns {Promise<number>}
 */
export async function orderNumber(admin, orderId) {
  const { order } = await admin.get(`/admin/orders/${orderId}?fields=display_id`)
  return order.display_id
}
