import { setTimeout as sleep } from "node:timers/promises"

import { DemoProblem } from "./demo-problem.mjs"
import { httpClient } from "./http.mjs"
import { PAYER } from "./shopper.mjs"

const POLL_MS = 10
const ORDER_TIMEOUT_MS = 30_000

/**
 * @param {string} storeUrl
 * @param {{email: string, password: string}} admin
 * @param {AbortSignal} signal
 */
export async function logIn(storeUrl, admin, signal) {
  const { token } = await httpClient(storeUrl, {}, signal).post("/auth/user/emailpass", admin)
  return httpClient(storeUrl, { authorization: `Bearer ${token}` }, signal)
}

/**
 * @param {import("./http.mjs").HttpClient} admin
 * @returns {Promise<string[]>} ids of the shopper's orders
 */
async function orderIds(admin) {
  const { orders } = await admin.get(`/admin/orders?q=${encodeURIComponent(PAYER.email)}&fields=id`)
  return orders.map((/** @type {{id: string}} */ order) => order.id)
}

/**
 * Waits for the order that nobody but the payment service asks for: the shopper's browser is closed.
 *
 * @param {import("./http.mjs").HttpClient} admin
 * @param {AbortSignal} signal
 * @returns {Promise<{id: string, seenAt: number}>}
 */
export async function waitForOrder(admin, signal) {
  const deadline = Date.now() + ORDER_TIMEOUT_MS
  while (Date.now() < deadline) {
    const [id] = await orderIds(admin)
    if (id) {
      return { id, seenAt: Date.now() }
    }
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new DemoProblem(
    `No order ${String(ORDER_TIMEOUT_MS / 1000)} s after the payment. See .demo/logs/store.log`
  )
}

const MONEY_FIELDS = [
  "id",
  "display_id",
  "currency_code",
  "total",
  "payment_collections.status",
  "payment_collections.captured_amount",
  "payment_collections.payments.captured_at",
  "payment_collections.payments.canceled_at",
  "payment_collections.payments.captures.amount",
  "payment_collections.payments.refunds.amount",
].join(",")

/**
 * Reads back what the store holds and refuses anything but: one order, captured once, in full.
 *
 * @param {import("./http.mjs").HttpClient} admin
 * @param {string} orderId
 * @param {number} total
 * @returns {Promise<{number: number, captured: number, currency: string}>}
 */
export async function requireCapturedOnce(admin, orderId, total) {
  const ids = await orderIds(admin)
  const { order } = await admin.get(`/admin/orders/${orderId}?fields=${MONEY_FIELDS}`)
  const collections = order.payment_collections
  const payments = collections.flatMap((/** @type {any} */ collection) => collection.payments)
  const captures = payments.flatMap((/** @type {any} */ payment) => payment.captures)
  const facts = {
    orders: ids.length,
    total: order.total,
    collections: collections.map((/** @type {any} */ { status }) => status),
    captured: collections.map((/** @type {any} */ { captured_amount }) => captured_amount),
    payments: payments.length,
    captures: captures.map((/** @type {any} */ { amount }) => amount),
    canceled: payments.filter((/** @type {any} */ { canceled_at }) => canceled_at).length,
    refunds: payments.flatMap((/** @type {any} */ { refunds }) => refunds).length,
  }
  const wanted = {
    orders: 1,
    total,
    collections: ["completed"],
    captured: [total],
    payments: 1,
    captures: [total],
    canceled: 0,
    refunds: 0,
  }
  if (JSON.stringify(facts) !== JSON.stringify(wanted)) {
    throw new DemoProblem(
      `The order is not captured exactly once.\n  wanted ${JSON.stringify(wanted)}\n  found  ${JSON.stringify(facts)}`
    )
  }
  return { number: order.display_id, captured: facts.captured[0], currency: order.currency_code }
}
