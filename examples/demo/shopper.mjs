import { DemoProblem } from "./demo-problem.mjs"

const PROVIDER = "pp_crypto_default"

/**
 * @typedef {object} Shopper
 * @property {"usd" | "aed"} currency
 * @property {string} email
 * @property {Record<string, string>} address
 * @property {number} total what the seeded product and its shipping come to
 */

/** @type {Record<"noor" | "sam", Shopper>} */
export const SHOPPERS = {
  noor: {
    currency: "aed",
    email: "noor@example.test",
    address: {
      first_name: "Noor",
      last_name: "Haddad",
      address_1: "5 Al Safa Street",
      city: "Dubai",
      country_code: "ae",
    },
    total: 73.5,
  },
  sam: {
    currency: "usd",
    email: "sam@example.test",
    address: {
      first_name: "Sam",
      last_name: "Reyes",
      address_1: "12 Congress Avenue",
      city: "Austin",
      postal_code: "78701",
      country_code: "us",
    },
    total: 20.01,
  },
}

/**
 * Fills a cart the way any storefront does.
 *
 * @param {import("./http.mjs").HttpClient} store
 * @param {import("./store.mjs").Seeded} seeded
 * @param {Shopper} shopper
 * @returns {Promise<{id: string, total: number}>}
 */
export async function fillCart(store, seeded, shopper) {
  const { cart } = await store.post("/store/carts", {
    region_id: seeded.regions[shopper.currency],
    email: shopper.email,
    items: [{ variant_id: seeded.variantId, quantity: 1 }],
    shipping_address: shopper.address,
  })
  const shipped = await store.post(`/store/carts/${cart.id}/shipping-methods`, {
    option_id: seeded.shippingOptionId,
  })
  return shipped.cart
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

let guests = 0

/**
 * Another shopper in the United States, who has chosen to pay with crypto.
 *
 * @param {import("./http.mjs").HttpClient} store
 * @param {import("./store.mjs").Seeded} seeded
 * @param {string} [variantId]
 * @returns {Promise<{cartId: string, link: string}>}
 */
export async function openLink(store, seeded, variantId = seeded.variantId) {
  const email = `guest-${String(++guests)}@example.test`
  const { id } = await fillCart(store, { ...seeded, variantId }, { ...SHOPPERS.sam, email })
  return { cartId: id, link: await choosePayment(store, id) }
}
