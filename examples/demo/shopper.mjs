import { DemoProblem } from "./demo-problem.mjs"

export const PAYER = { email: "noor@example.test", first_name: "Noor", last_name: "Haddad" }
const PROVIDER = "pp_crypto_default"

/**
 * Fills a cart the way any storefront does.
 *
 * @param {import("./http.mjs").HttpClient} store
 * @param {import("./store.mjs").Seeded} seeded
 * @returns {Promise<{id: string, total: number, currency: string}>}
 */
export async function fillCart(store, seeded) {
  const { cart } = await store.post("/store/carts", {
    region_id: seeded.regions.usd,
    email: PAYER.email,
    items: [{ variant_id: seeded.variantId, quantity: 1 }],
    shipping_address: {
      first_name: PAYER.first_name,
      last_name: PAYER.last_name,
      address_1: "12 Congress Avenue",
      city: "Austin",
      postal_code: "78701",
      country_code: "us",
    },
  })
  const shipped = await store.post(`/store/carts/${cart.id}/shipping-methods`, {
    option_id: seeded.shippingOptionId,
  })
  return { id: cart.id, total: shipped.cart.total, currency: shipped.cart.currency_code }
}

/**
 * @param {import("./http.mjs").HttpClient} store
 * @param {string} cartId
 * @returns {Promise<string>} the payment link
 */
export async function choosePayment(store, cartId) {
  const { payment_collection: collection } = await store.post("/store/payment-collections", {
    cart_id: cartId,
  })
  const { payment_collection: withSession } = await store.post(
    `/store/payment-collections/${collection.id}/payment-sessions`,
    { provider_id: PROVIDER }
  )
  const link = withSession.payment_sessions[0]?.data.payment_link
  if (typeof link !== "string") {
    throw new DemoProblem("The payment session has no payment link.")
  }
  return link
}
