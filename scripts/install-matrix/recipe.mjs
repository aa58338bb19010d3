import { readFileSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "../../examples/demo/paths.mjs"

const GUIDE = "docs/storefront.md"
const CHECKOUT = "src/app/[countryCode]/(checkout)/checkout"
const COMPONENTS = "src/modules/checkout/components"

/**
 * What the storefront guide says about Medusa's Next.js starter, in a shop that has nothing else of the starter but what
 * the recipe imports and edits.
 *
 * @returns {Record<string, string>} files
 */
export function recipeFiles() {
  const guide = readFileSync(join(ROOT, GUIDE), "utf8")
  const [, section = ""] = /^## The Medusa Next\.js starter\n([^]*?)^## /m.exec(guide) ?? []
  const blocks = [...section.matchAll(/^```tsx?\n([^]*?)^```$/gm)].map(([, code = ""]) => code)
  if (blocks.length !== 10) {
    throw new Error(
      `${GUIDE} has ${String(blocks.length)} blocks of the starter's. This test knows what to do with 10.`
    )
  }
  const [actions, returned, page, info, isCrypto, imports, chosen, button, retrieved, limits] = blocks
  return {
    "src/lib/data/crypto-payment.ts": actions,
    [`${COMPONENTS}/crypto-return/index.tsx`]: returned,
    [`${CHECKOUT}/return/page.tsx`]: page,
    [`${CHECKOUT}/failed/page.tsx`]: page.replace("<CryptoReturn />", "<CryptoReturn hintsFailure />"),
    "src/lib/constants.tsx": `
const CreditCard = () => <svg />
export const paymentInfoMap: Record<string, { title: string; icon: React.JSX.Element }> = {
${info}}
export const isStripeLike = (providerId?: string) => providerId?.startsWith("pp_stripe_")
export const isManual = (providerId?: string) => providerId?.startsWith("pp_system_default")
${isCrypto}`,
    [`${COMPONENTS}/payment-button/index.tsx`]: `"use client"
import type { HttpTypes } from "@medusajs/types"
${imports}
export default function PaymentButton({ cart }: { cart: HttpTypes.StoreCart }) {
  const notReady = !cart.email
  const paymentSession = cart.payment_collection?.payment_sessions?.[0]
  switch (true) {
    case isStripeLike(paymentSession?.provider_id):
    case isManual(paymentSession?.provider_id):
      return <button disabled={notReady}>Place order</button>
${chosen}    default:
      return <button disabled>Select a payment method</button>
  }
}
${button}`,
    "src/lib/data/cart.ts": `"use server"
import { sdk } from "@lib/config"
import type { HttpTypes } from "@medusajs/types"
import { getAuthHeaders, getCacheTag, getCartId } from "./cookies"
export async function retrieveCart(cartId?: string, fields = "*items, *region") {
  const id = cartId ?? (await getCartId())
  const headers = await getAuthHeaders()
  const next = { tags: [await getCacheTag("carts")] }
${retrieved}}
`,
    "src/modules/checkout/templates/checkout-form/index.tsx": `
import type { HttpTypes } from "@medusajs/types"
import PaymentButton from "@modules/checkout/components/payment-button"
${limits.replace(
  "\n\n",
  `
type Given = { cart: HttpTypes.StoreCart; paymentMethods: HttpTypes.StorePaymentProvider[] }
export default function CheckoutForm({ cart, paymentMethods }: Given) {
`
)}  return <>{offered.map(({ id }) => id)}<PaymentButton cart={cart} /></>
}
`,
    [`${CHECKOUT}/page.tsx`]: `
import { retrieveCart } from "@lib/data/cart"
import CheckoutForm from "@modules/checkout/templates/checkout-form"
export default async function Page() {
  const cart = await retrieveCart()
  return cart && <CheckoutForm cart={cart} paymentMethods={[]} />
}
`,
    "src/lib/config.ts": `
import Medusa from "@medusajs/js-sdk"
export const sdk = new Medusa({ baseUrl: "http://localhost:9000" })
`,
    "src/lib/data/cookies.ts": `
import { cookies } from "next/headers"
const read = async (name: string) => (await cookies()).get(name)?.value
export const getAuthHeaders = async (): Promise<{ authorization: string } | Record<string, never>> => {
  const token = await read("_medusa_jwt")
  return token ? { authorization: \`Bearer \${token}\` } : {}
}
export const getCacheTag = async (tag: string): Promise<string> => \`\${tag}-\${await read("_medusa_cache_id")}\`
export const getCartId = async () => await read("_medusa_cart_id")
export const removeCartId = async () => {
  ;(await cookies()).set("_medusa_cart_id", "", { maxAge: -1 })
}
`,
  }
}
