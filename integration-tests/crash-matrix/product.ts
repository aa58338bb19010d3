import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { AxiosInstance } from "axios"
import type { SeededStore } from "../../examples/store/src/seed"
import { expectOk } from "../support/shopper"

/** So that nothing is sold out by itself. */
const STOCK = 1_000_000

export type Product = Awaited<ReturnType<typeof createProduct>>

/** A product of 15.01 USD, 20.01 with shipping, in stock, made as a merchant makes it. */
export async function createProduct(
  admin: AxiosInstance,
  knex: Knex,
  { salesChannelId, shippingProfileId, stockLocationId }: SeededStore,
  number: number
) {
  const post = async (path: string, body: unknown) =>
    expectOk(path, await admin.post<Record<string, unknown>>(`/admin${path}`, body))
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
