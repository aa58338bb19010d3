import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { toCurrencySymbol } from "../../../../gateway"
import { answer } from "../respond"

interface RegionLike {
  id: string
  name: string
  currency_code: string
  payment_providers?: ({ id: string } | null)[]
}

/** For the set-up checklist and for monitors: is everything configured, and is anything stuck. */
export const GET = answer(async (req, ledger) => {
  const query = req.scope.resolve(ContainerRegistrationKeys.QUERY)
  const [health, { data }] = await Promise.all([
    ledger.health.read(),
    query.graph({ entity: "region", fields: ["id", "name", "currency_code", "payment_providers.id"] }),
  ])
  const own = health.providers.filter(({ registered }) => registered).map(({ provider_id }) => provider_id)
  const regions = (data as RegionLike[]).map(({ id, name, currency_code, payment_providers }) => ({
    id,
    name,
    currency_code,
    currency_taken: toCurrencySymbol(currency_code) !== undefined,
    provider_ids: (payment_providers ?? []).flatMap((provider) => own.filter((id) => id === provider?.id)),
  }))
  return { ...health, regions }
})
