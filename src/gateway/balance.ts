import { z } from "zod"
import { plainDecimal } from "./plain-decimal"
import { toFields, wireObject, type Additional, type Fields } from "./wire"

/** What a balance symbol may look like before it is put into a path. Dots are allowed inside (`USDC.e`). */
export const BALANCE_SYMBOL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

const balanceShape = {
  asset: z.string().min(1),
  value: plainDecimal,
  locked: plainDecimal,
}

/** Wire form of a balance. @see gateway interface, "Balance" */
export const balanceSchema = wireObject(balanceShape)

/** One asset's balance, decimal strings with 14 fractional digits. @see gateway interface, "Balance" */
export interface Balance extends Fields<typeof balanceShape>, Additional {}

export function toBalance(wire: z.output<typeof balanceSchema>): Balance {
  return toFields(wire, balanceShape)
}
