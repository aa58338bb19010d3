import type { MedusaRequestHandler } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"
import { toCurrencySymbol } from "../../gateway"
import { resolveLedger } from "../../modules/crypto-payments"
import { isPaused } from "../../modules/crypto-payments/paused"
import {
  crossedCurrency,
  type EffectiveSettings,
} from "../../modules/crypto-payments/settings/effective-settings"
import { PROVIDER_PREFIX } from "../../modules/crypto-payments/settings/names"
import type { AmountPerCurrency } from "../../modules/crypto-payments/settings/setting"
import { queryStore } from "../../modules/crypto-payments/store-query"
import { warn } from "../../workflows/core/settling"

interface ProviderList {
  payment_providers: { id?: string }[]
  count: number
}

/**
 * Core lists every provider of a region. This removes ours where a shopper would be refused: the gateway does not take
 * the region's currency, or the provider is not configured, the store is paused, or something
 * completes its carts in core's place. The list does not know the cart, so it shows the limits.
 */
export const listOfferedProviders: MedusaRequestHandler = async (req, res, next) => {
  const id = [req.query["region_id"]].flat().map(String)
  const regions = await queryStore<{ currency_code: string }>("region", ["currency_code"], { id })
  const currency = regions
    .map(({ currency_code }) => currency_code)
    .find((code) => toCurrencySymbol(code) !== undefined)
  const all = currency === undefined ? [] : await listSettings(req.scope)
  const offered = new Map(
    all.flatMap((settings) =>
      settings.isConfigured && crossedCurrency(settings) !== currency
        ? [[settings.providerId, limitsOf(settings, String(currency))] as const]
        : []
    )
  )
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
async function listSettings(container: MedusaContainer): Promise<EffectiveSettings[]> {
  try {
    const { completion, settings } = resolveLedger(container)
    const all = isPaused() ? [] : await settings.list()
    const isReplaced = (await completion.list()).length > 0
    return all.filter(({ registration }) => registration.core_completion || !isReplaced)
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
