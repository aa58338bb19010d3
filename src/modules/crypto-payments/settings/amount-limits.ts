import { z } from "@medusajs/framework/zod"
import { isMoreThan, isPositiveAmount, toTwoDecimals } from "../../../decision"

const CURRENCIES = ["aed", "usd"] as const

/** Decimal strings with two decimals. A currency without an amount is absent. */
export type AmountPerCurrency = Partial<Record<(typeof CURRENCIES)[number], string>>

const amount = z
  .string({ error: 'must be a text such as "5.00", in quotes: a number is not exact' })
  .trim()
  .regex(/^\d{1,12}(\.\d{1,2})?$/, { error: 'must be an amount such as "5.00", with two decimals at most' })
  .transform(toTwoDecimals)

function perCurrency(amounts: z.ZodType<string, string>) {
  const error = ({ code }: { code?: string | undefined }) =>
    code === "invalid_key" ? "must be aed or usd, which the gateway takes, and each only once" : undefined
  return z.preprocess(inLowerCase, z.partialRecord(z.enum(CURRENCIES), amounts, { error }))
}

export const AMOUNT_LIMITS = {
  min_amount: perCurrency(amount).describe(
    'Smallest amount of a cart that is paid in crypto, per currency: { "usd": "5.00" }'
  ),
  max_amount: perCurrency(amount.refine(isPositiveAmount, { error: "must be above zero" })).describe(
    'Largest amount of a cart that is paid in crypto, per currency: { "usd": "10000.00" }'
  ),
}

/** The currency whose smallest amount is above its largest. */
export function crossedCurrency(
  min: AmountPerCurrency | null | undefined,
  max: AmountPerCurrency | null | undefined
): string | undefined {
  return CURRENCIES.find((currency) => {
    const [smallest, largest] = [min?.[currency], max?.[currency]]
    return smallest !== undefined && largest !== undefined && isMoreThan(smallest, largest)
  })
}

/** Currencies in any case, always in the same order. An unset environment variable gives no limit. */
function inLowerCase(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value
  }
  const given = Object.entries(value).filter(([, one]) => one !== undefined && one !== "")
  const lower = Object.fromEntries(given.map(([name, one]) => [name.toLowerCase(), one] as const).sort())
  // A currency that is given twice stays as it is, and is refused.
  return Object.keys(lower).length === given.length ? lower : value
}
