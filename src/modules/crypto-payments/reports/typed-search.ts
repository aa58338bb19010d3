import { latinDigits } from "../latin-digits"

/** As people write it: "17", "#17", "order 17", «طلب ١٧». */
const ORDER_NUMBER = /^(?:(?:order|طلب|الطلب)\s*)?#?(\d{1,10})$/i

/** The currency is before or after the sum; the decimals may come after a comma. */
const AMOUNT = /^(\$|aed|usd)?\s*(\d{1,12}(?:,\d{3})*)(?:[.,](\d{1,2}))?\s*(\$|aed|usd)?$/i

/** Only amounts are written with one. */
const hasComma = (search: string): boolean => /[,\u060c\u066c]/.test(search)

/** The number of an order that a search names; empty if it names none. */
export const orderNumberIn = (search: string): string =>
  hasComma(search) ? "" : (ORDER_NUMBER.exec(latinDigits(search))?.[1] ?? "")

/** The amount that a search names, with its currency if it has one; empty if it names none: "17" is an order's number. */
export function amountIn(search: string): Record<"amount" | "currency", string> {
  const [, before, whole = "", decimals, after] = AMOUNT.exec(latinDigits(search)) ?? []
  const currency = (before ?? after ?? "").toLowerCase().replace("$", "usd")
  const amount = [whole.replaceAll(",", ""), decimals ?? "0"].join(".")
  const isAmount = decimals !== undefined || currency !== "" || hasComma(search)
  return isAmount && whole !== "" ? { amount, currency } : { amount: "", currency: "" }
}
