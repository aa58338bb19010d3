import {
  createLocationFulfillmentSetWorkflow,
  createServiceZonesWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
} from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { findOrCreate } from "./find-or-create"

const LOCATION = "Warehouse"
const FULFILLMENT_PROVIDER = "manual_manual"

export interface SeededShipping {
  stockLocationId: string
  shippingProfileId: string
  shippingOptionId: string
}

export async function seedShipping(
  container: MedusaContainer,
  salesChannelId: string
): Promise<SeededShipping> {
  const stockLocationId = await seedLocation(container, salesChannelId)
  const serviceZoneId = await seedServiceZone(container, stockLocationId)
  const shippingProfileId = await findOrCreate(
    container,
    "shipping_profile",
    { type: "default" },
    async () => {
      const { result } = await createShippingProfilesWorkflow(container).run({
        input: { data: [{ name: "Default", type: "default" }] },
      })
      return result[0]
    }
  )
  const shippingOptionId = await findOrCreate(
    container,
    "shipping_option",
    { service_zone_id: serviceZoneId },
    async () => {
      const { result } = await createShippingOptionsWorkflow(container).run({
        input: [
          {
            name: "Standard",
            price_type: "flat",
            provider_id: FULFILLMENT_PROVIDER,
            service_zone_id: serviceZoneId,
            shipping_profile_id: shippingProfileId,
            type: { label: "Standard", description: "Three to five days", code: "standard" },
            prices: [
              { currency_code: "usd", amount: 5 },
              { currency_code: "aed", amount: 18.35 },
            ],
            rules: [
              { attribute: "enabled_in_store", value: "true", operator: "eq" },
              { attribute: "is_return", value: "false", operator: "eq" },
            ],
          },
        ],
      })
      return result[0]
    }
  )
  return { stockLocationId, shippingProfileId, shippingOptionId }
}

async function seedLocation(container: MedusaContainer, salesChannelId: string): Promise<string> {
  const id = await findOrCreate(container, "stock_location", { name: LOCATION }, async () => {
    const { result } = await createStockLocationsWorkflow(container).run({
      input: {
        locations: [
          { name: LOCATION, address: { address_1: "1 Dock Road", city: "Austin", country_code: "us" } },
        ],
      },
    })
    return result[0]
  })
  await container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.STOCK_LOCATION]: { stock_location_id: id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: FULFILLMENT_PROVIDER },
  })
  await linkSalesChannelsToStockLocationWorkflow(container).run({ input: { id, add: [salesChannelId] } })
  return id
}

async function seedServiceZone(container: MedusaContainer, stockLocationId: string): Promise<string> {
  const setName = "Parcels"
  const fulfillmentSetId = await findOrCreate(container, "fulfillment_set", { name: setName }, async () => {
    await createLocationFulfillmentSetWorkflow(container).run({
      input: { location_id: stockLocationId, fulfillment_set_data: { name: setName, type: "shipping" } },
    })
    const [created] = await container.resolve(Modules.FULFILLMENT).listFulfillmentSets({ name: setName })
    return created
  })
  return await findOrCreate(
    container,
    "service_zone",
    { fulfillment_set: { id: fulfillmentSetId } },
    async () => {
      const { result } = await createServiceZonesWorkflow(container).run({
        input: {
          data: [
            {
              name: "Where we deliver",
              fulfillment_set_id: fulfillmentSetId,
              geo_zones: [
                { type: "country", country_code: "us" },
                { type: "country", country_code: "ae" },
              ],
            },
          ],
        },
      })
      return result[0]
    }
  )
}
