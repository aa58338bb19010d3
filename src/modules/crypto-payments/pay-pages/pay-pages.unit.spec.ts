import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { SettingsRegistry } from "../settings/settings-registry"
import { PayPages } from "./pay-pages"

/**
 * Made with OpenSSL: printf "crypto pay page:order_1:$NONCE" | openssl dgst -sha256 -hmac secret -binary | basenc
 * --base64url, without the padding; its digest: printf "$TOKEN" | sha256sum.
 */
const TOKEN = "e4SKCWPouuslFsCwzPf2uxMxSwIKkI_v45sN47iWUys"
const DIGEST = "60c52df301b82dd494fbffa474374a68ec3a98b6e7029bd63931f6abbb24061b"
const NONCE = "0".repeat(64)

/** A store whose only page is that of `order_1`. @param publicUrls of its providers */
function pagesOf(publicUrls: Record<string, string | null>): PayPages {
  const page = {
    order_id: "order_1",
    provider_id: "pp_crypto_default",
    nonce: NONCE,
    token_digests: [DIGEST],
  }
  const rows = ({ order_id }: { order_id: string }) => ({
    whereNull: () => ({
      first: async () => await Promise.resolve(order_id === "order_1" ? page : undefined),
    }),
  })
  const all = Object.entries(publicUrls).map(([providerId, value]) => ({
    providerId,
    public_url: value,
  }))
  return new PayPages(
    (() => ({ where: rows })) as unknown as Knex,
    { projectConfig: { http: { cookieSecret: "secret" } } },
    { list: async () => await Promise.resolve(all) } as unknown as SettingsRegistry
  )
}

it.each([
  [
    "its provider's public URL",
    { pp_crypto_second: "https://other.example", pp_crypto_default: "https://store.example" },
    "https://store.example",
  ],
  [
    "a public URL with a path",
    { pp_crypto_default: "https://shop.example/backend/" },
    "https://shop.example/backend",
  ],
  [
    "another provider's, when its own is not registered any more",
    { pp_crypto_second: "https://store.example" },
    "https://store.example",
  ],
])("a pay page's address is made of %s", async (_, publicUrls, store) => {
  expect(await pagesOf(publicUrls).addressOf("order_1")).toBe(`${store}/crypto-payments/pay/${TOKEN}`)
})

it("a pay page has no address while the store's public one is not known", async () => {
  expect(await pagesOf({ pp_crypto_default: null }).addressOf("order_1")).toBeUndefined()
})

it("an order without a page has no address", async () => {
  const pages = pagesOf({ pp_crypto_default: "https://store.example" })
  expect(await pages.addressOf("order_2")).toBeUndefined()
})

it.each([
  "",
  "x",
  `${TOKEN}A`,
  TOKEN.slice(1),
  `${TOKEN.slice(1)} `,
  `${TOKEN.slice(1)}é`,
  `${TOKEN.slice(1)}\0`,
])("what cannot be a token is not looked up: %j", async (token) => {
  // The knex of this store has no `raw`.
  const pages = pagesOf({})
  expect(await pages.read(token)).toBeUndefined()
})
