import { asValue } from "@medusajs/framework/awilix"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

interface Graph {
  graph: (query: { entity: string; fields: string[] }, options?: object) => Promise<{ data: unknown[] }>
}

interface RegionProviders {
  payment_providers?: ({ id: string } | undefined)[]
}

/** A provider may be taken off the region, or the cart moved to another region, after a link was given out. */
export async function isOfferedInRegion(
  container: MedusaContainer,
  cartId: string,
  providerId: string
): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["region_id", "region.payment_providers.id"],
    filters: { id: cartId },
  })
  const [cart] = data as { region_id: string | null; region?: RegionProviders | null }[]
  return cart?.region_id == null || hasProvider(cart.region ?? {}, providerId)
}

/**
 * Completes a paid cart whatever its region offers now: a link that was given out can still be paid, and its money has
 * to become the order. Core asks the region, through Query, and refuses. So this run of core's workflow gets a Query
 * that names the provider as one of the region's. Nothing of it is stored, and no other run sees it.
 */
export async function completeCartOutsideRegion(
  container: MedusaContainer,
  cartId: string,
  providerId: string
): Promise<void> {
  const scope = container.createScope() as MedusaContainer
  const query = container.resolve<Graph>(ContainerRegistrationKeys.QUERY)
  scope.register(ContainerRegistrationKeys.QUERY, asValue(withProvider(query, providerId)))
  await completeCartWorkflow(scope).run({ input: { id: cartId } })
}

function withProvider(query: Graph, providerId: string): Graph {
  const graph: Graph["graph"] = async (asked, options) => {
    const answer = await query.graph(asked, options)
    const isAboutRegion = asked.entity === "region" && asked.fields.includes("payment_providers.id")
    if (!isAboutRegion) {
      return answer
    }
    const [region = {}] = answer.data as RegionProviders[]
    const payment_providers = [...(region.payment_providers ?? []), { id: providerId }]
    return { ...answer, data: [hasProvider(region, providerId) ? region : { ...region, payment_providers }] }
  }
  return new Proxy(query, {
    get: (target, name) => (name === "graph" ? graph : (Reflect.get(target, name, target) as unknown)),
  })
}

const hasProvider = ({ payment_providers = [] }: RegionProviders, providerId: string): boolean =>
  payment_providers.some((provider) => provider?.id === providerId)
