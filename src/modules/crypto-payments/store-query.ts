import { container } from "@medusajs/framework"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

/** Core holds all lines of all orders that it adds up in memory. The audit asks for ten thousand. */
const MOST_AT_ONCE = 500

/**
 * Asks Query of the store that this process runs. The containers of modules and payment providers have none, and core
 * asks the provider for a link with nothing else.
 *
 * @returns what `fields` name, as core's modules give it
 */
export async function queryStore<Found>(
  entity: string,
  fields: string[],
  filters: Record<string, unknown>,
  options: { withDeleted?: boolean } = {}
): Promise<Found[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity, fields, filters, ...options })
  return data as Found[]
}

/** False if the plugin has its own copy of Medusa's framework, as a linked package may: that copy runs no store. */
export const hasStoreQuery = (): boolean => container.hasRegistration(ContainerRegistrationKeys.QUERY)

/** Those with these ids. @param fields `id` among them */
export async function queryByIds<Found extends { id: string }>(
  entity: string,
  fields: string[],
  ids: readonly (string | null)[],
  options?: { withDeleted?: boolean }
): Promise<Map<string, Found>> {
  const left = [...new Set(ids)].filter((id) => id !== null)
  const found = new Map<string, Found>()
  while (left.length > 0) {
    const id = left.splice(0, MOST_AT_ONCE)
    for (const one of await queryStore<Found>(entity, fields, { id }, options)) {
      found.set(one.id, one)
    }
  }
  return found
}

export interface Named {
  first_name: string | null
  last_name: string | null
}

/** Who buys, as an order or a cart says. */
export interface Buyer {
  id: string
  email: string | null
  customer?: (Named & { id: string; email: string | null }) | null
  shipping_address?: (Named & { country_code: string | null }) | null
  billing_address?: Named | null
}

const BUYER_FIELDS = [
  ...["id", "email", "customer.id", "customer.email", "shipping_address.country_code"],
  ...["customer", "shipping_address", "billing_address"].flatMap((relation) => [
    `${relation}.first_name`,
    `${relation}.last_name`,
  ]),
]

export async function queryBuyers(
  entity: "order" | "cart",
  ids: readonly (string | null)[]
): Promise<Map<string, Buyer>> {
  return await queryByIds<Buyer>(entity, BUYER_FIELDS, ids)
}
