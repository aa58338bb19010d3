import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

/**
 * Returns the id of the first record that matches, else of the one that `create` makes. So seeding twice is harmless.
 *
 * @param entity name in Medusa's query graph, as `sales_channel`
 */
export async function findOrCreate(
  container: MedusaContainer,
  entity: string,
  filters: Record<string, unknown>,
  create: () => Promise<{ id: string } | undefined>
): Promise<string> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity, fields: ["id"], filters, pagination: { take: 1 } })
  const found = (data as { id: string }[])[0] ?? (await create())
  if (!found) {
    throw new Error(`Seeding made no ${entity}`)
  }
  return found.id
}
