import { leaveCases } from "./cases.mjs"
import { logIn, orderNumber, requireCapturedOnce } from "./captured-once.mjs"
import { httpClient } from "./http.mjs"
import { waitForOrder } from "./order-watch.mjs"
import { payOnHostedPage } from "./payer.mjs"
import { paymentRequest } from "./payment-request.mjs"
import { say } from "./progress.mjs"
import { choosePayment, fillCart, SHOPPERS } from "./shopper.mjs"

const REPEATS = 3

/**
 * @param {string} what
 * @param {string} text
 */
const tell = (what, text) => say(`  ${what.padEnd(22)}${text}`)

/**
 * Buys a coffee as a shopper would, over HTTP, and closes the browser before the order exists.
 *
 * @param {import("./set-up.mjs").Setting} setting
 * @param {import("./shopper.mjs").Shopper} shopper
 * @param {AbortSignal} signal
 */
export async function checkOut({ storeUrl, databaseUrl, seeded }, shopper, signal) {
  const store = storeClient(storeUrl, seeded, signal)
  const admin = await logIn(storeUrl, seeded.admin, signal)
  /** @param {number} amount */
  const money = (amount) => `${amount.toFixed(2)} ${shopper.currency.toUpperCase()}`

  const cart = await fillCart(store, seeded, shopper)
  tell("Cart", `${cart.id}, ${money(cart.total)}`)
  const paymentLink = await choosePayment(store, cart.id)
  tell("Payment link", paymentLink)

  const [order] = await Promise.all([
    waitForOrder(databaseUrl, cart.id, signal),
    payOnHostedPage(paymentLink, signal),
  ])
  const request = paymentRequest(paymentLink, signal)
  tell("Payment", `${await request.paid()}; then the shopper closes the browser`)
  const notifiedAt = await request.notifiedAt()
  tell("Notification", `sent at ${notifiedAt.toISOString()}`)
  const captured = await requireCapturedOnce(admin, shopper, signal)
  tell("Order number", `#${String(await orderNumber(admin, order.id))}, ${order.id}`)
  tell("Captured", money(captured))
  tell("Notification to order", `${String(order.seenAt - notifiedAt.getTime())} ms`)

  const answers = await request.notifyAgain(REPEATS)
  await requireCapturedOnce(admin, shopper, signal)
  tell("Notified again", `${String(REPEATS)} times, answered ${answers.join(", ")}; still captured once`)
}

/**
 * Cases for the person at the terminal to end, and a cart that waits for them to pay.
 *
 * @param {import("./set-up.mjs").Setting} setting
 * @param {AbortSignal} signal
 * @returns {Promise<string>} its payment link
 */
export async function leaveWork(setting, signal) {
  const { storeUrl, seeded } = setting
  const store = storeClient(storeUrl, seeded, signal)
  await leaveCases(setting, store, await logIn(storeUrl, seeded.admin, signal), signal)
  return choosePayment(store, (await fillCart(store, seeded, SHOPPERS.sam)).id)
}

/**
 * @param {string} storeUrl
 * @param {import("./store.mjs").Seeded} seeded
 * @param {AbortSignal} signal
 */
function storeClient(storeUrl, { publishableKey }, signal) {
  return httpClient(storeUrl, { "x-publishable-api-key": publishableKey }, signal)
}
