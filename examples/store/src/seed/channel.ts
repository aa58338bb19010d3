import {
  createApiKeysWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { findOrCreate } from "./find-or-create"

const NAME = "Web shop"

export async function seedChannel(
  container: MedusaContainer
): Promise<{ salesChannelId: string; publishableKey: string }> {
  const salesChannelId = await findOrCreate(container, "sales_channel", { name: NAME }, async () => {
    const { result } = await createSalesChannelsWorkflow(container).run({
      input: { salesChannelsData: [{ name: NAME }] },
    })
    return result[0]
  })
  const keyId = await findOrCreate(container, "api_key", { title: NAME, type: "publishable" }, async () => {
    const { result } = await createApiKeysWorkflow(container).run({
      input: { api_keys: [{ title: NAME, type: "publishable", created_by: "seed" }] },
    })
    return result[0]
  })
  // Linking again changes nothing.
  await linkSalesChannelsToApiKeyWorkflow(container).run({ input: { id: keyId, add: [salesChannelId] } })
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "api_key", fields: ["token"], filters: { id: keyId } })
  return { salesChannelId, publishableKey: (data as { token: string }[])[0]?.token ?? "" }
}
