import type { MedusaRequestHandler } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"
import { toCurrencySymbol } from "../../gateway"
import { resolveLedger } from "../../modules/crypto-payments"
import type { EffectiveSettings } from "../../modules/crypto-payments/settings/effective-settings"
import { PROVIDER_PREFIX } from "../../modules/crypto-payments/settings/names"
import type { AmountPerCurrency } from "../../modules/crypto-payments/settings/setting"
import { queryStore } from "../../modules/crypto-payments/store-query"
import { warn } from "../../workflows/core/settling"

interface ProviderList {
  payment_providers: { id?: string }[]
  count: number
}

/**
 * Core lists every provider of a region. This removes ours where a shopper would be refused. The list does not know the
 * cart, so it shows the limits.
 */
export const listOfferedProviders: MedusaRequestHandler = async (req, res, next) => {
  const id = [req.query["region_id"]].flat().map(String)
  const regions = await queryStore<{ currency_code: string }>("region", ["currency_code"], { id })
  const currency = regions
    .map(({ currency_code }) => currency_code)
    .find((code) => toCurrencySymbol(code) !== undefined)
  const all = currency === undefined ? [] : await listOffered(req.scope, currency)
  const offered = new Map(all.map((one) => [one.providerId, limitsOf(one, String(currency))]))
  const json = res.json.bind(res)
  res.json = (answer) => {
    const given = answer as Partial<ProviderList>
    const { payment_providers: listed, count } = given
    if (listed === undefined || count === undefined) {
      return json(answer)
    }
    const kept = listed.filter(({ id = "" }) => !id.startsWith(PROVIDER_PREFIX) || offered.has(id))
    return json({
      ...given,
      payment_providers: kept.map((provider) => ({ ...provider, ...offered.get(provider.id ?? "") })),
      count: count - (listed.length - kept.length),
    })
  }
  next()
}

/** None if they cannot be read: whatever is wrong with the plugin's tables, the other providers stay. */
async function listOffered(container: MedusaContainer, currency: string): Promise<EffectiveSettings[]> {
  try {
    return await resolveLedger(container).health.listOffered(currency)
  } catch (error) {
    warn(container, "crypto payments: not offered, because the settings could not be read", error)
    return []
  }
}

/** The limits of a cart that can be paid in crypto. Null: no limit. */
function limitsOf({ min_amount, max_amount }: EffectiveSettings, currency_code: string) {
  const [min = null, max = null] = [min_amount, max_amount].map(
    (amounts) => amounts?.[currency_code as keyof AmountPerCurrency]
  )
  return min === null && max === null ? {} : { amount_limits: { currency_code, min, max } }
}
