import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { AxiosInstance } from "axios"
import type { SeededStore } from "../../examples/store/src/seed"

/** So that nothing is sold out by itself. */
const STOCK = 1_000_000

export interface Product {
  variantId: string
  inventoryItemId: string
}

/** A product of 15.01 USD, 20.01 with shipping, in stock, made as a merchant makes it. */
export async function createProduct(
  admin: AxiosInstance,
  knex: Knex,
  { salesChannelId, shippingProfileId, stockLocationId }: SeededStore,
  number: number
): Promise<Product> {
  const created = await admin.post("/admin/products", {
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
  expectOk(created.status, created.data)
  const variantId = created.data.product.variants[0].id as string
  const item = await knex("product_variant_inventory_item")
    .where({ variant_id: variantId })
    .first("inventory_item_id")
  const inventoryItemId = item.inventory_item_id as string
  const stocked = await admin.post(`/admin/inventory-items/${inventoryItemId}/location-levels`, {
    location_id: stockLocationId,
    stocked_quantity: STOCK,
  })
  expectOk(stocked.status, stocked.data)
  return { variantId, inventoryItemId }
}

function expectOk(status: number, answer: unknown): void {
  if (status !== 200) {
    throw new Error(`the store answered ${String(status)}: ${JSON.stringify(answer)}`)
  }
}
