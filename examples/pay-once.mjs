/**
 * `npm run pay-once -- pk_…`: fills a cart of a store, as a shopper would, and prints its payment link. The word is a
 * publishable key of the store; a second one is its address, if that is not http://localhost:9000.
 */
import { DemoProblem } from "./demo/demo-problem.mjs"
import { httpClient } from "./demo/http.mjs"
import { choosePayment, SHOPPERS } from "./demo/shopper.mjs"

const [key = "", storeUrl = "http://localhost:9000"] = process.argv.slice(2)
const store = httpClient(storeUrl, { "x-publishable-api-key": key }, AbortSignal.timeout(60_000))
try {
  process.stdout.write(`${await openLink()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof DemoProblem ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function openLink() {
  const { regions } = await store.get("/store/regions")
  const region = regions.find(
    ({ currency_code: currency, countries }) => ["aed", "usd"].includes(currency) && countries.length > 0
  )
  require(region, "No region with a country is in AED or USD.")
  const { products } = await store.get("/store/products?fields=variants.id")
  const [variant] = products.flatMap(({ variants }) => variants)
  require(variant, "The key's sales channel has no published product.")
  const { cart } = await store.post("/store/carts", {
    region_id: region.id,
    email: SHOPPERS.sam.email,
    items: [{ variant_id: variant.id, quantity: 1 }],
    shipping_address: { ...SHOPPERS.sam.address, country_code: region.countries[0].iso_2 },
  })
  const { shipping_options: options } = await store.get(`/store/shipping-options?cart_id=${cart.id}`)
  require(options[0], "No service zone has the country, or no shipping option has a price in the currency.")
  await store.post(`/store/carts/${cart.id}/shipping-methods`, { option_id: options[0].id })
  return choosePayment(store, cart.id)
}

/**
 * @param {unknown} found
 * @param {string} otherwise
 */
function require(found, otherwise) {
  if (found === undefined) {
    throw new DemoProblem(otherwise)
  }
}
