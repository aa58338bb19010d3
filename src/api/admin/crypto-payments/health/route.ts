import { toCurrencySymbol } from "../../../../gateway"
import { queryStore } from "../../../../modules/crypto-payments/store-query"
import { answer } from "../respond"

interface RegionLike {
  id: string
  name: string
  currency_code: string
  payment_providers?: ({ id: string } | null)[]
}

/** For the set-up checklist and for monitors: is everything configured, and is anything stuck. */
export const GET = answer(async (_req, ledger) => {
  const [health, found] = await Promise.all([
    ledger.health.read(),
    queryStore<RegionLike>("region", ["id", "name", "currency_code", "payment_providers.id"], {}),
  ])
  const own = health.providers.filter(({ registered }) => registered).map(({ provider_id }) => provider_id)
  const currencies = [...new Set(found.map(({ currency_code }) => currency_code))]
  const offered = new Map(
    await Promise.all(currencies.map(async (one) => [one, await ledger.health.listOffered(one)] as const))
  )
  const regions = found.map(({ id, name, currency_code, payment_providers }) => {
    const provider_ids = (payment_providers ?? []).flatMap((one) => own.filter((id) => id === one?.id))
    return {
      id,
      name,
      currency_code,
      currency_taken: toCurrencySymbol(currency_code) !== undefined,
      provider_ids,
      offered_ids: provider_ids.filter((id) =>
        offered.get(currency_code)?.some(({ providerId }) => providerId === id)
      ),
    }
  })
  return { ...health, regions }
})
