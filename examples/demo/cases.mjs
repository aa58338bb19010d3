import { press } from "./payer.mjs"
import { choosePayment, fillCart, SHOPPERS } from "./shopper.mjs"

/** The buttons of the sandbox's page with which a payer does not pay what the cart asks for. */
const WRONG = ["too_little", "too_much", "other_currency", "part"]

/**
 * Pays in each way that leaves the merchant a case: by the page's buttons, twice for one cart, and for a cart that costs
 * more by now.
 *
 * @param {import("./http.mjs").HttpClient} store
 * @param {import("./store.mjs").Seeded} seeded
 * @param {AbortSignal} signal
 */
export async function makeCases(store, seeded, signal) {
  let guests = 0
  const openLink = async () => {
    const email = `guest-${String(++guests)}@example.test`
    const { id } = await fillCart(store, seeded, { ...SHOPPERS.sam, email })
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
}
