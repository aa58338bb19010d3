import { createInventoryLevelsWorkflow, createProductsWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, ProductStatus } from "@medusajs/framework/utils"
import { findOrCreate } from "./find-or-create"
import type { SeededShipping } from "./shipping"

const HANDLE = "coffee"
const GRINDS = ["Whole beans", "Ground"]
const STOCK = 1000

export interface SeededProduct {
  productId: string
  /** "Whole beans": 15.01 USD, 20.01 with shipping; 55.15 AED, 73.50 with shipping. */
  variantId: string
  variantIds: string[]
  inventoryItemIds: string[]
}

export async function seedProduct(
  container: MedusaContainer,
  salesChannelId: string,
  { shippingProfileId, stockLocationId }: SeededShipping
): Promise<SeededProduct> {
  const productId = await findOrCreate(container, "product", { handle: HANDLE }, async () => {
    const { result } = await createProductsWorkflow(container).run({
      input: {
        products: [
          {
            title: "Coffee, 250 g",
            handle: HANDLE,
            status: ProductStatus.PUBLISHED,
            shipping_profile_id: shippingProfileId,
            sales_channels: [{ id: salesChannelId }],
            options: [{ title: "Grind", values: GRINDS }],
            variants: GRINDS.map((grind) => ({
              title: grind,
              sku: `COFFEE-${grind.toUpperCase().replace(" ", "-")}`,
              options: { Grind: grind },
              manage_inventory: true,
              prices: [
                { currency_code: "usd", amount: 15.01 },
                { currency_code: "aed", amount: 55.15 },
              ],
            })),
          },
        ],
      },
    })
    return result[0]
  })
  const variants = await readVariants(container, productId)
  const inventoryItemIds = variants.flatMap(({ inventory_items }) =>
    inventory_items.map((item) => item.inventory_item_id)
  )
  for (const inventoryItemId of inventoryItemIds) {
    await seedStock(container, inventoryItemId, stockLocationId)
  }
  const variantIds = GRINDS.map((grind) => variants.find(({ title }) => title === grind)?.id ?? "")
  return { productId, variantId: variantIds[0] ?? "", variantIds, inventoryItemIds }
}

interface Variant {
  id: string
  title: string
  inventory_items: { inventory_item_id: string }[]
}

async function readVariants(container: MedusaContainer, productId: string): Promise<Variant[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "product_variant",
    fields: ["id", "title", "inventory_items.inventory_item_id"],
    filters: { product_id: productId },
  })
  return data as Variant[]
}

async function seedStock(
  container: MedusaContainer,
  inventoryItemId: string,
  stockLocationId: string
): Promise<void> {
  const place = { inventory_item_id: inventoryItemId, location_id: stockLocationId }
  await findOrCreate(container, "inventory_level", place, async () => {
    const { result } = await createInventoryLevelsWorkflow(container).run({
      input: { inventory_levels: [{ ...place, stocked_quantity: STOCK }] },
    })
    return result[0]
  })
}
