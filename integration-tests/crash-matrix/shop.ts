import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { AxiosInstance } from "axios"
import type { SeededStore } from "../../examples/store/src/seed"
import { startBuiltStore } from "../support/cluster/built-store"
import { tell } from "../support/command"
import { expectOk, Shopper } from "../support/shopper"
import { StoreProcess } from "./store-process"

/** The store's option: how long an order that was placed first may stay unpaid. */
export const UNPAID_ORDER_TTL_MINUTES = 30

/** The store's option `orderPlacement`. A process has one, so a flow runs in processes of its own kind. */
export type OrderPlacement = "after_payment" | "before_payment"

/** An event as a merchant's subscriber heard it, in whichever process. */
export interface HeardEvent {
  event: string
  data: { id: string; reason?: string }
}

export type Shop = Awaited<ReturnType<typeof openShop>>

/**
 * The built example store on one Postgres, without Redis, with the sandbox; its processes come and go.
 *
 * @param count how many runs there are at a time
 */
export async function openShop(count: number) {
  const store = await startBuiltStore(tell)
  const { knex, gateway, seeded, logs, environment, http, admin, logIn } = store
  const heardFile = join(logs, "heard.jsonl")
  let boots = 0
  const boot = async (placement: OrderPlacement): Promise<StoreProcess> => {
    const env = { ...environment, ...optionsFor(placement) }
    return await StoreProcess.boot(`crash-${++boots}`, env, logs, heardFile)
  }
  tell("starting the store")
  const first = await boot("after_payment")
  await logIn(first)
  const products: Product[] = []
  for (let number = 1; number <= count; number++) {
    products.push(await createProduct(admin(first), knex, seeded, number))
  }
  await first.kill()
  return {
    knex,
    gateway,
    seeded,
    http,
    admin,
    /** Each has its own stock, so that one run does not wait for what another one holds. */
    products,
    boot,
    shopper: (at: StoreProcess, { variantId }: Product) => new Shopper(http(at), { ...seeded, variantId }),
    /** What subscribers have heard since this was asked last. */
    takeHeard: () => {
      const lines = existsSync(heardFile) ? readFileSync(heardFile, "utf8").trim().split("\n") : []
      rmSync(heardFile, { force: true })
      return lines.map((line) => JSON.parse(line) as HeardEvent)
    },
  }
}

const optionsFor = (placement: OrderPlacement): NodeJS.ProcessEnv =>
  placement === "after_payment"
    ? {}
    : {
        CRYPTO_PAYMENTS_ORDER_PLACEMENT: placement,
        CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: String(UNPAID_ORDER_TTL_MINUTES),
      }

/** So that nothing is sold out by itself. */
const STOCK = 1_000_000

export type Product = Awaited<ReturnType<typeof createProduct>>

/** A product of 15.01 USD, 20.01 with shipping, in stock, made as a merchant makes it. */
async function createProduct(
  admin: AxiosInstance,
  knex: Knex,
  { salesChannelId, shippingProfileId, stockLocationId }: SeededStore,
  number: number
) {
  const post = async (path: string, body: unknown) =>
    expectOk(path, await admin.post<Record<string, unknown>>(path, body))
  const { product } = await post("/products", {
    title: `Tea ${number}`,
    status: "published",
    shipping_profile_id: shippingProfileId,
    sales_channels: [{ id: salesChannelId }],
    options: [{ title: "Size", values: ["One"] }],
    variants: [
      {
        title: "One",
        sku: `TEA-${number}`,
        options: { Size: "One" },
        manage_inventory: true,
        prices: [{ currency_code: "usd", amount: 15.01 }],
      },
    ],
  })
  const { variants } = product as { variants: [{ id: string }] }
  const variantId = variants[0].id
  const { inventory_item_id: inventoryItemId } = await knex("product_variant_inventory_item")
    .where({ variant_id: variantId })
    .first<{ inventory_item_id: string }>("inventory_item_id")
  await post(`/inventory-items/${inventoryItemId}/location-levels`, {
    location_id: stockLocationId,
    stocked_quantity: STOCK,
  })
  return { variantId, inventoryItemId }
}
