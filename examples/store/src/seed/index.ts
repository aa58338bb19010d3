import type { MedusaContainer } from "@medusajs/framework/types"
import { seedAdminUser } from "./admin-user"
import { seedChannel } from "./channel"
import { seedProduct, type SeededProduct } from "./product"
import { seedRegions, type SeededRegions } from "./regions"
import { seedShipping, type SeededShipping } from "./shipping"

export interface SeededStore extends SeededProduct, SeededShipping {
  publishableKey: string
  salesChannelId: string
  regions: SeededRegions
  admin: { email: string; password: string }
}

/**
 * Fills a store with what a checkout needs: a channel with its publishable key, regions in USD and AED that pay with
 * crypto, a flat shipping option, a product in stock and an admin user.
 *
 * Running it again changes nothing but the admin user's password, and returns the same otherwise.
 */
export async function seedStore(container: MedusaContainer): Promise<SeededStore> {
  const channel = await seedChannel(container)
  const shipping = await seedShipping(container, channel.salesChannelId)
  const product = await seedProduct(container, channel.salesChannelId, shipping)
  const regions = await seedRegions(container)
  const admin = await seedAdminUser(container)
  return { ...channel, ...shipping, ...product, regions, admin }
}
