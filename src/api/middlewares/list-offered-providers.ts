import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { toCurrencySymbol } from "../../gateway"
import { resolveLedger } from "../../modules/crypto-payments"
import { PROVIDER_PREFIX } from "./guard-session-creation"

interface ProviderList {
  payment_providers: { id?: string }[]
  count: number
}

/**
 * Core lists every provider of a region. Ours are left out where a shopper who chose one would be refused: the gateway
 * does not take the region's currency, or the provider is not configured. The admin's checklist says why.
 */
export async function listOfferedProviders(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const query = req.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data: regions } = await query.graph({
    entity: "region",
    fields: ["currency_code"],
    filters: { id: [req.query["region_id"]].flat().map(String) },
  })
  const isTaken = regions.some(
    ({ currency_code }: { currency_code: string }) => toCurrencySymbol(currency_code) !== undefined
  )
  const offered = isTaken ? await resolveLedger(req.scope).settings.listConfigured() : []
  const json = res.json.bind(res)
  res.json = (answer) => json(withoutRefused(answer as Partial<ProviderList>, offered))
  next()
}

function withoutRefused(answer: Partial<ProviderList>, offered: readonly string[]): Partial<ProviderList> {
  const { payment_providers: listed, count } = answer
  if (listed === undefined || count === undefined) {
    return answer
  }
  const kept = listed.filter(({ id }) => !id?.startsWith(PROVIDER_PREFIX) || offered.includes(id))
  return { ...answer, payment_providers: kept, count: count - (listed.length - kept.length) }
}
