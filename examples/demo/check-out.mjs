import { httpClient } from "./http.mjs"
import { sentNotifications } from "./notifications.mjs"
import { payOnHostedPage } from "./payer.mjs"
import { logIn, requireCapturedOnce, waitForOrder } from "./orders.mjs"
import { say } from "./progress.mjs"
import { choosePayment, fillCart } from "./shopper.mjs"

/** What the seeded product and its shipping come to; see the store's seed. */
const EXPECTED_TOTAL = 20.01
const REPEATS = 3

/**
 * @param {string} what
 * @param {string} text
 */
const tell = (what, text) => say(`  ${what.padEnd(22)}${text}`)

/**
 * Buys one coffee as a shopper would, over HTTP, and closes the browser before the order exists.
 *
 * @param {import("./set-up.mjs").Setting} setting
 * @param {AbortSignal} signal
 */
export async function checkOut({ storeUrl, seeded }, signal) {
  const store = storeClient(storeUrl, seeded, signal)
  const admin = await logIn(storeUrl, seeded.admin, signal)

  const cart = await fillCart(store, seeded)
  tell("Cart", `${cart.id}, ${money(cart.total, cart.currency)}`)
  const paymentLink = await choosePayment(store, cart.id)
  tell("Payment link", paymentLink)

  const payment = payOnHostedPage(paymentLink, signal)
  const order = await waitForOrder(admin, signal)
  tell("Payment", await payment)
  const notifications = sentNotifications(paymentLink, signal)
  const notifiedAt = await notifications.firstSentAt()
  tell("Notification", `sent ${notifiedAt.toISOString()}; the shopper's browser is closed`)
  const placed = await requireCapturedOnce(admin, order.id, EXPECTED_TOTAL)
  tell("Order number", `#${String(placed.number)} (${order.id})`)
  tell("Captured", money(placed.captured, placed.currency))
  tell("Notification to order", `${String(order.seenAt - notifiedAt.getTime())} ms`)

  const answers = await notifications.repeat(REPEATS)
  await requireCapturedOnce(admin, order.id, EXPECTED_TOTAL)
  tell("Notified again", `${String(REPEATS)} times, answered ${answers.join(", ")}; still captured once`)
}

/**
 * A cart that waits for the person at the terminal to pay.
 *
 * @param {import("./set-up.mjs").Setting} setting
 * @param {AbortSignal} signal
 * @returns {Promise<string>} its payment link
 */
export async function openPayment({ storeUrl, seeded }, signal) {
  const store = storeClient(storeUrl, seeded, signal)
  return choosePayment(store, (await fillCart(store, seeded)).id)
}

/**
 * @param {string} storeUrl
 * @param {import("./store.mjs").Seeded} seeded
 * @param {AbortSignal} signal
 */
function storeClient(storeUrl, { publishableKey }, signal) {
  return httpClient(storeUrl, { "x-publishable-api-key": publishableKey }, signal)
}

/**
 * @param {number} amount
 * @param {string} currency
 */
function money(amount, currency) {
  return `${amount.toFixed(2)} ${currency.toUpperCase()}`
}
