import { isMoreThan } from "../../../decision"
import type { CurrencySymbol } from "../../../gateway"
import { invalidData, notAllowed } from "../errors"
import type { ProviderSettings } from "../settings/effective-settings"
import type { AmountPerCurrency } from "../settings/setting"
import type { CollectionFacts, Payer } from "./session-facts"

/** Why no payment link can be created. Checked before core deletes a session, and again when the link is created. */

const ELSE = "Choose another payment method."
const MOST_CHARACTERS = 320
/** No name, bracket or `mailto:` before it, and no punctuation of a sentence after it. */
const ADDRESS = /^[^\s@<>:(]+@[^\s@<>:,;()]*[^\s@<>:,;().]$/

/** @throws MedusaError 400 when it is paid, its order is cancelled, or the currencies differ */
export function refuseWithoutNeed({ is_paid, is_canceled, is_in_other_currency }: CollectionFacts): void {
  // In another currency, the link would ask for what the order owes in the collection's currency.
  const message = is_paid
    ? "This is already paid."
    : is_canceled
      ? "This order was cancelled or deleted, so it cannot be paid. Place a new one."
      : "This payment is in another currency than its cart or order. Ask the shop for a payment link."
  if (is_paid || is_canceled || is_in_other_currency) {
    throw notAllowed(message)
  }
}

/** @throws MedusaError 400 without a valid e-mail address */
export function payerEmail({
  email,
  order_id,
}: Pick<Payer, "email"> & Pick<CollectionFacts, "order_id">): string {
  // As it was pasted: with blanks and invisible characters around it.
  const address = (email ?? "").replaceAll(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "")
  const its = order_id === null ? "cart" : "order"
  if (address === "") {
    throw invalidData(
      `The ${its} has no e-mail address, which crypto payments need. Set \`email\` on the ${its} first.`,
      "email_missing"
    )
  }
  if (address.length > MOST_CHARACTERS || !ADDRESS.test(address)) {
    throw invalidData(
      `The ${its}'s e-mail address is not valid. Correct \`email\` on the ${its}, then try again.`,
      "email_invalid"
    )
  }
  return address
}

/** Limits are for the checkout: an order's link has none. @throws MedusaError 400 for a cart outside the limits */
export function refuseOutsideLimits(
  { min_amount, max_amount }: Pick<ProviderSettings, "min_amount" | "max_amount">,
  { amount, currencySymbol }: { amount: string; currencySymbol: CurrencySymbol },
  { order_id }: Pick<CollectionFacts, "order_id">
): void {
  if (order_id !== null) {
    return
  }
  const currency = currencySymbol.toLowerCase() as keyof AmountPerCurrency
  const [min, max] = [min_amount?.[currency], max_amount?.[currency]]
  if (min !== undefined && isMoreThan(min, amount)) {
    throw invalidData(
      `The smallest amount that this shop takes in crypto is ${min} ${currencySymbol}. ${ELSE}`,
      "amount_below_minimum"
    )
  }
  if (max !== undefined && isMoreThan(amount, max)) {
    throw invalidData(
      `The largest amount that this shop takes in crypto is ${max} ${currencySymbol}. ${ELSE}`,
      "amount_above_maximum"
    )
  }
}
